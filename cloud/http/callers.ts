import type { AgentIdentity } from '../queue/moves.ts';

/** Who a call comes from, by the kind of authentication its route names. */
export type Callers = { none: 'anyone'; agent: AgentIdentity; operator: 'operator' };
