/** The part of oidc-provider that the tests use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Details = { readonly prompt: { readonly name: string }; readonly params: Readonly<Record<string, unknown>> };
  type Exchange = [request: IncomingMessage, response: ServerResponse];
  type Policy = { add(prompt: unknown): void };

  export const interactionPolicy: {
    base(): Policy;
    readonly Prompt: new (facts: { readonly name: string; readonly requestable: boolean }) => unknown;
  };

  class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (facts: {
      readonly accountId: string;
      readonly clientId: string;
    }) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    readonly AccessToken: { find(token: string): Promise<{ destroy(): Promise<void> } | undefined> };
    callback(): (...exchange: Exchange) => void;
    interactionDetails(...exchange: Exchange): Promise<Details>;
    interactionFinished(...exchange: [...Exchange, result: object]): Promise<void>;
    on(event: string, listener: (...facts: unknown[]) => void): void;
  }
  // biome-ignore lint/style/noDefaultExport: it is how the package exports its one class
  export default Provider;
}
