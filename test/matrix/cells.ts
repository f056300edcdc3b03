import type { LifeStep } from '../sim/plan.ts';

/** A moment in one mail's life. `reached` is where the simulator stops for it; `certain`: nobody can have begun it. */
export type MatrixStep = {
  readonly id: string;
  readonly name: string;
  readonly reached: readonly LifeStep[];
  readonly certain: boolean;
};

export const MATRIX_STEPS = [
  { id: 'S00', name: 'nothing claimed yet', reached: ['claim-id-written'], certain: true },
  { id: 'S01', name: 'the claim is on its way', reached: ['claim-asked'], certain: true },
  { id: 'S02', name: 'the answer to the claim has come, unread', reached: ['claim-answered'], certain: true },
  { id: 'S03', name: 'the mails are checked, the ledger knows none', reached: ['claim-written'], certain: true },
  { id: 'S04', name: 'the mails are being written as claimed', reached: ['claim-written'], certain: true },
  { id: 'S05', name: 'the mails are on the disk and wait their turn', reached: ['waiting'], certain: true },
  { id: 'S06', name: 'the message is being made', reached: ['preparing'], certain: true },
  { id: 'S07', name: 'the attempt’s number is being written', reached: ['attempt-written'], certain: true },
  { id: 'S08', name: 'connecting, TLS, greeting', reached: ['connect', 'tls'], certain: true },
  { id: 'S09', name: 'logging in', reached: ['auth'], certain: true },
  { id: 'S10', name: 'MAIL FROM', reached: ['mail'], certain: false },
  { id: 'S11', name: 'RCPT TO', reached: ['rcpt'], certain: false },
  { id: 'S12', name: 'DATA said, 354 awaited', reached: ['data'], certain: false },
  { id: 'S12a', name: 'begin is asked, no answer yet', reached: ['begin-asked'], certain: false },
  { id: 'S12b', name: 'begin is granted, known in memory only', reached: ['begin-granted'], certain: false },
  {
    id: 'S13',
    name: 'the body streams, the handed-over mark is being written',
    reached: ['body', 'mark-written'],
    certain: false,
  },
  { id: 'S14', name: 'the gate is open, the last bytes are still here', reached: ['gate-open'], certain: false },
  { id: 'S15', name: 'the last bytes are away, the reply is awaited', reached: ['end-of-data'], certain: false },
  { id: 'S16', name: 'the reply is read, nothing of it is on the disk', reached: ['replied'], certain: false },
  { id: 'S17', name: 'the outcome is on the disk, not told', reached: ['outcome-kept'], certain: false },
  {
    id: 'S17a',
    name: 'a certain "not sent" is on the disk, its report on the way',
    reached: ['not-sent-asked'],
    certain: false,
  },
  { id: 'S18', name: 'the result is on its way to the cloud', reached: ['report-asked'], certain: false },
  { id: 'S19', name: 'the cloud has it, the ledger does not know', reached: ['report-answered'], certain: false },
  { id: 'S20', name: 'told, and known to be told', reached: ['report-settled'], certain: false },
] as const satisfies readonly MatrixStep[];
export type StepId = (typeof MATRIX_STEPS)[number]['id'];

/** What goes wrong. `harmless`: it only delays, so a mail that nobody can have begun is always sent in the end. */
export const MATRIX_FAULTS = [
  { id: 'F01', name: 'the process is killed', harmless: true },
  { id: 'F02', name: 'the power fails', harmless: true },
  { id: 'F03', name: 'the disk is full', harmless: true },
  { id: 'F04', name: 'the disk fails to write or read', harmless: true },
  { id: 'F05', name: 'the ledger’s file is busy', harmless: true },
  { id: 'F06', name: 'the cloud is out of reach', harmless: true },
  { id: 'F07', name: 'the cloud did it and its answer is lost', harmless: true },
  { id: 'F08', name: 'the cloud answers 5xx, or nothing in time', harmless: true },
  { id: 'F09', name: 'the cloud answers 409', harmless: false },
  { id: 'F10', name: 'the cloud refuses the token', harmless: true },
  { id: 'F11', name: 'the cloud asks for patience (429)', harmless: true },
  { id: 'F12', name: 'the mail server drops the connection or falls silent', harmless: true },
  { id: 'F13', name: 'the mail server refuses, or answers what nobody can read', harmless: false },
  { id: 'F14', name: 'the clock jumps an hour or ten years', harmless: true },
  { id: 'F15', name: 'the computer sleeps for hours', harmless: true },
  { id: 'F16', name: 'a second agent starts on the same data folder', harmless: false },
  { id: 'F17', name: 'an older copy of the ledger comes back', harmless: false },
  { id: 'F18', name: 'the ledger is gone', harmless: false },
  { id: 'F19', name: 'the same user starts a second computer', harmless: true },
  { id: 'F20', name: 'an operator cancels the mail', harmless: false },
  { id: 'F21', name: 'the claim is answered again, with the same hash or another', harmless: false },
  { id: 'F22', name: 'the agent is told to quit', harmless: true },
] as const;
export type FaultId = (typeof MATRIX_FAULTS)[number]['id'];

/** Which faults can strike in which step: two digits each. Left out is what cannot happen there or means nothing. */
const STRIKES: Readonly<Record<StepId, string>> = {
  S00: '01 02 03 04 05 06 07 09 10 11 14 15 16 17 18 19 20 22',
  S01: '01 02 03 04 06 07 08 09 10 11 16 19 20 22',
  S02: '01 02 03 04 21',
  S03: '01 02 03 04',
  S04: '01 02 03 04 05 16 21',
  S05: '01 02 03 04 06 10 14 15 17 18 19 20 21 22',
  S06: '01 02 03 04 06 08 10 15 17 20 22',
  S07: '01 02 03 04 05 10 16',
  S08: '01 02 03 04 06 10 12 13 14 15 17 18 20 21 22',
  S09: '01 02 03 04 06 10 12 13 15 22',
  S10: '01 02 03 04 06 10 12 13 15 22',
  S11: '01 02 03 04 06 10 12 13 15 22',
  S12: '01 02 03 04 06 10 12 13 15 17 20 22',
  S12a: '01 02 03 04 05 06 07 08 09 10 11 14 15 16 17 18 19 20 21 22',
  S12b: '01 02 03 04 05 14 15 16 17 18 19 20 21 22',
  S13: '01 02 03 04 05 06 10 12 15 16 17 18 22',
  S14: '01 02 03 04 06 10 12 13 15 17 18 20 21 22',
  S15: '01 02 03 04 06 10 12 13 14 15 17 18 19 20 21 22',
  S16: '01 02 03 04 05 06 10 12 13 16 17 18 22',
  S17: '01 02 03 04 06 10 12 13 14 17 18 19 20 21 22',
  S17a: '01 02 03 04 05 06 07 08 09 10 11 14 15 16 17 18 19 20 21 22',
  S18: '01 02 03 04 06 07 08 09 10 11 14 15 17 18 19 22',
  S19: '01 02 03 04 05 16 17',
  S20: '01 02 03 04 14 17 18 19 20 21 22',
};

export type Cell = {
  readonly id: string;
  readonly step: MatrixStep & { readonly id: StepId };
  readonly fault: (typeof MATRIX_FAULTS)[number];
};

/** Every cell once, step by step. */
export const CELLS: readonly Cell[] = MATRIX_STEPS.flatMap((step) =>
  STRIKES[step.id].split(' ').map((digits): Cell => {
    const fault = MATRIX_FAULTS.find(({ id }) => id === `F${digits}`);
    if (fault === undefined) throw new Error(`there is no fault F${digits}`);
    return { id: `${step.id}-${fault.id}`, step, fault };
  }),
);

/** The first half of a mail's life; the tests of the two halves run beside each other. */
export const STEPS_BEFORE_BEGIN: readonly StepId[] = [
  'S00',
  'S01',
  'S02',
  'S03',
  'S04',
  'S05',
  'S06',
  'S07',
  'S08',
  'S09',
  'S10',
  'S11',
  'S12',
];

/** Seeds for each cell in the simulator. */
export const CELL_SEEDS = 100;

/** The name of a cell's test. */
export const cellTitle = ({ id, step, fault }: Cell): string => `${id}: ${step.name}; ${fault.name}`;

/** A test on real parts: its file, and its own name or the last part of it. */
export type RealTest = { readonly file: string; readonly title: string };
const real = (file: string, title: string): RealTest => ({ file, title });
const AGENT = 'test/e2e/agent-and-cloud';
const LEDGER = 'test/adapters/sqlite';

/**
 * Tests in which the same fault strikes real parts (the shipped agent, real PostgreSQL, real files and sockets): they
 * show that the model parts of the simulator fail as real ones do. By fault, whatever the step.
 */
export const ON_REAL_PARTS: Readonly<Partial<Record<FaultId, readonly RealTest[]>>> = {
  F01: [real(`${AGENT}/kill-points.test.ts`, 'sends no mail twice and loses none when')],
  F03: [real(`${LEDGER}/disk-full.test.ts`, 'is full says so, and keeps exactly what it acknowledged')],
  F04: [
    real(`${LEDGER}/disk-full.test.ts`, 'refuses to write is reopened, and keeps exactly what it acknowledged'),
    real(`${LEDGER}/commit.test.ts`, 'leaves the ledger shut while the file cannot be reopened'),
  ],
  F05: [real(`${LEDGER}/commit.test.ts`, 'is busy, with nothing written, while another connection holds the file')],
  F07: [
    real(`${AGENT}/lost-messages.test.ts`, 'the claim is asked again under its id and answers the same mails'),
    real(`${AGENT}/lost-messages.test.ts`, 'the begin is asked again with the same nonce and the mail goes out'),
    real(`${AGENT}/lost-messages.test.ts`, 'the result is told again, byte for byte, and counted once'),
    real(
      `${AGENT}/lost-messages.test.ts`,
      'the word that nothing was sent is told again before the mail is tried again',
    ),
  ],
  F08: [real(`${AGENT}/lost-messages.test.ts`, 'changes nothing and the work goes on after it')],
  F16: [
    real(`${LEDGER}/open-ledger.test.ts`, 'keeps a second process out'),
    real(`${LEDGER}/commit.test.ts`, 'is refused when another process wrote to the file in spite of the lock'),
    real('test/headless/command-line.test.ts', 'lets a second agent not start on the same data folder'),
  ],
  F17: [
    real(`${AGENT}/lost-ledger.test.ts`, 'mails that were sent and told since are not sent again'),
    real(`${AGENT}/lost-ledger.test.ts`, 'a mail whose end was handed over since is uncertain'),
  ],
  F18: [real(`${AGENT}/lost-ledger.test.ts`, 'without its mails, what had begun is uncertain and the rest is sent')],
  F19: [
    real(`${AGENT}/several-agents.test.ts`, 'of one user share the queue and send no mail twice'),
    real(`${AGENT}/several-agents.test.ts`, 'do not both send the mail that one of them has begun'),
  ],
  F20: [
    real(`${AGENT}/people.test.ts`, 'while the mail is under way and has not begun keeps it from being sent'),
    real(`${AGENT}/people.test.ts`, 'is refused as too late once the mail has begun, and the mail is sent'),
  ],
  F22: [
    real('test/headless/command-line.test.ts', 'finishes the mail under way on Ctrl-C, and ends at once on the second'),
  ],
};
