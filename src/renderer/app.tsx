import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Language } from '../shared/texts/language.ts';
import { windowTexts } from '../shared/texts/window-texts/window-texts.ts';
import { listen } from './bridge.ts';
import { LoadedView } from './parts/loaded-view.tsx';
import { NavBar } from './parts/nav-bar.tsx';
import { HEADING_ID } from './parts/page.tsx';
import { countQuestions } from './questions.ts';
import { back, type Detail, goTo, open, type Place, type Route, routeKey } from './route.ts';
import { TextsProvider } from './texts.ts';
import { useRequest } from './use-request.ts';
import { MailPage } from './views/mails/mail-page.tsx';
import { INITIAL_LIST, type ListMemory, MailsView } from './views/mails/mails-view.tsx';
import { NeedsYouView } from './views/needs-you/needs-you-view.tsx';
import { SetUpView } from './views/set-up/set-up-view.tsx';
import { AboutPage } from './views/settings/about-page.tsx';
import { AccountPage } from './views/settings/account-page.tsx';
import { ConnectionPage } from './views/settings/connection-page.tsx';
import { PacePage } from './views/settings/pace-page.tsx';
import { ProxyPage } from './views/settings/proxy-page.tsx';
import { SettingsView } from './views/settings/settings-view.tsx';
import { TodayView } from './views/today/today-view.tsx';

/** The whole window: which view is shown, in which language, and the ways between them. */
export function App(): JSX.Element {
  const [spoken] = useRequest('language', null);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  // At once: main may name a place as soon as the page has loaded, before the first answer is here.
  useLayoutEffect(() => listen('go-to', setWanted), []);
  const language: Language = spoken.kind === 'here' ? spoken.value : 'en';
  const texts = useMemo(() => windowTexts(language), [language]);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.title = texts.frame.appName;
  }, [language, texts]);
  // Words in the wrong language would flash up before the answer is here.
  if (spoken.kind === 'loading') return <div class="window" />;
  return (
    <TextsProvider value={texts}>
      <Window wanted={wanted} />
    </TextsProvider>
  );
}

/** A place that main wants shown; a new object each time. */
type Wanted = { readonly place: Place };

function Window(props: { readonly wanted: Wanted | null }): JSX.Element {
  const [setUp, askSetUp] = useRequest('set-up', null);
  return (
    <LoadedView loaded={setUp} onTryAgain={askSetUp}>
      {(value) => <Places isSetUp={value.isDone} wanted={props.wanted} onSetUpDone={askSetUp} />}
    </LoadedView>
  );
}

function Places(props: {
  readonly isSetUp: boolean;
  readonly wanted: Wanted | null;
  readonly onSetUpDone: () => void;
}): JSX.Element {
  const { isSetUp, wanted, onSetUpDone } = props;
  const [route, setRoute] = useState<Route>(() => goTo(isSetUp ? 'today' : 'set-up'));
  const [questions] = useRequest('questions', null);
  const list = useRef<ListMemory>(INITIAL_LIST);
  const leave = (): void => setRoute(back);
  const show = (detail: Detail): void => {
    const opener = document.activeElement?.id ?? '';
    setRoute((now) => open(now, detail, opener === '' ? null : opener));
  };
  const visit = (place: Place): void => setRoute(goTo(place === 'set-up' && isSetUp ? 'today' : place));

  useEffect(() => {
    if (wanted !== null) visit(wanted.place);
  }, [wanted]);
  useBackKeys(route.detail === null ? null : leave);
  useFocusOnMove(route);

  return (
    <div class="window">
      {view(route)}
      <NavBar
        place={route.place}
        isSetUp={isSetUp}
        questionCount={questions.kind === 'here' ? countQuestions(questions.value) : 0}
        onGo={visit}
      />
    </div>
  );

  function view({ place, detail }: Route): JSX.Element {
    if (detail !== null) return detailView(detail.what);
    switch (place) {
      case 'set-up':
        return (
          <SetUpView
            onDone={() => {
              onSetUpDone();
              setRoute(goTo('today'));
            }}
          />
        );
      case 'today':
        return <TodayView isSetUp={isSetUp} onOpen={show} onGo={visit} />;
      case 'mails':
        return <MailsView memory={list} onOpen={show} />;
      case 'needs-you':
        return <NeedsYouView onOpen={show} />;
      case 'settings':
        return <SettingsView onOpen={show} />;
    }
  }

  function detailView(detail: Detail): JSX.Element {
    switch (detail.kind) {
      case 'mail':
        return <MailPage key={detail.id} id={detail.id} onBack={leave} />;
      case 'account':
        return <AccountPage onBack={leave} />;
      case 'pace':
        return <PacePage onBack={leave} />;
      case 'connection':
        return <ConnectionPage onBack={leave} />;
      case 'proxy':
        return <ProxyPage onBack={leave} />;
      case 'about':
        return <AboutPage onBack={leave} />;
    }
  }
}

/** Esc and Alt+Left go back; an open menu keeps its own Esc. */
function useBackKeys(onBack: (() => void) | null): void {
  useEffect(() => {
    if (onBack === null) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const isBack = event.key === 'Escape' || (event.key === 'ArrowLeft' && event.altKey);
      if (!isBack || event.defaultPrevented || event.isComposing) return;
      event.preventDefault();
      onBack();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
}

/** After a move the heading has the focus; after a way back, what had opened the detail. */
function useFocusOnMove(route: Route): void {
  const before = useRef(route);
  const key = routeKey(route);
  // The focus moves when the view does, and only then.
  useLayoutEffect(() => {
    const from = before.current;
    before.current = route;
    if (routeKey(from) === key) return undefined;
    const opener =
      from.detail !== null && route.detail === null && from.place === route.place ? from.detail.returnTo : null;
    if (opener === null) document.getElementById(HEADING_ID)?.focus();
    else return focusWhenThere(opener);
    return undefined;
  }, [key]);
}

const LOOK_AGAIN_MS = 50;
const LOOKS_MAX = 20;

/** The view asks main before it draws, so the opener is there a little later; until then the heading has the focus. */
function focusWhenThere(id: string): () => void {
  document.getElementById(HEADING_ID)?.focus();
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    const opener = document.getElementById(id);
    const isUntouched = document.activeElement === document.body || document.activeElement?.id === HEADING_ID;
    if (opener !== null && isUntouched) opener.focus();
    if (opener !== null || !isUntouched || looks >= LOOKS_MAX) clearInterval(timer);
  }, LOOK_AGAIN_MS);
  return () => clearInterval(timer);
}
