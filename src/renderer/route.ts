export type Place = 'today' | 'mails' | 'needs-you' | 'settings' | 'set-up';

/** A page pushed in over a place; Back, Esc and Alt+Left return from it. */
export type Detail =
  | { readonly kind: 'mail'; readonly id: string }
  | { readonly kind: 'account' }
  | { readonly kind: 'pace' }
  | { readonly kind: 'connection' }
  | { readonly kind: 'proxy' }
  | { readonly kind: 'about' };

/** `returnTo` is the id of the element that opened the detail and gets the focus back. */
export type Route = {
  readonly place: Place;
  readonly detail: { readonly what: Detail; readonly returnTo: string | null } | null;
};

export const goTo = (place: Place): Route => ({ place, detail: null });

/** One level only: a detail opened from a detail takes its place and keeps the way back. */
export const open = (route: Route, what: Detail, returnTo: string | null): Route => ({
  place: route.place,
  detail: { what, returnTo: route.detail?.returnTo ?? returnTo },
});

export const back = (route: Route): Route => ({ place: route.place, detail: null });

export const routeKey = (route: Route): string => `${route.place}/${route.detail?.what.kind ?? ''}`;
