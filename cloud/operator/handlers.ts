import { ok } from '../../src/shared/result.ts';
import { createPairingCode } from '../agent/pair.ts';
import type { Database } from '../database/database.ts';
import type { Handlers } from '../http/bind.ts';
import type { Callers } from '../http/callers.ts';
import { storeFile } from './files.ts';
import { cancelMails, giveBack, resolveUncertain, sendAgain } from './interventions.ts';
import { createUser, listAgents, listUsers, orderAgent } from './people.ts';
import { getRecipient, listRecipients, listSending } from './recipients.ts';
import type { OPERATOR_ROUTES } from './routes.ts';
import { addRecipients, confirmTask, createTask, getTask, listTasks } from './tasks.ts';

/** One handler for each route of the operator's API. `origin` is where agents reach this cloud. */
export function operatorHandlers(database: Database, origin: () => string): Handlers<typeof OPERATOR_ROUTES, Callers> {
  return {
    createUser: async ({ request }) => ok(await createUser(database, request.name)),
    listUsers: async () => ok({ items: [...(await listUsers(database))] }),
    createPairingCode: ({ params }) => createPairingCode(database, params.id),
    uploadFile: ({ request }) => storeFile(database, origin(), request),
    createTask: ({ request }) => createTask(database, request),
    addRecipients: ({ params, request }) => addRecipients(database, params.id, request.recipients),
    confirmTask: ({ params }) => confirmTask(database, params.id),
    getTask: ({ params }) => getTask(database, params.id),
    listTasks: async ({ query }) => ok({ items: await listTasks(database, query.limit) }),
    listRecipients: ({ query }) => listRecipients(database, query),
    listSending: async ({ query }) => ok({ items: [...(await listSending(database, query.limit))] }),
    getRecipient: ({ params }) => getRecipient(database, params.id),
    cancel: async ({ request }) => ok(await cancelMails(database, request)),
    giveBack: ({ params }) => giveBack(database, params.id),
    resolve: ({ params, request }) => resolveUncertain(database, params.id, request),
    sendAgain: ({ params }) => sendAgain(database, params.id),
    listAgents: async () => ok({ items: await listAgents(database) }),
    pauseAgent: ({ params }) => orderAgent(database, params.id, 'pause'),
    resumeAgent: ({ params }) => orderAgent(database, params.id, 'resume'),
    revokeAgent: ({ params }) => orderAgent(database, params.id, 'revoke'),
  };
}
