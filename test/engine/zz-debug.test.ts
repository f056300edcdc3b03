import { it } from 'vitest';
import { Storm } from '/work/main/test/support/fakes-storm.ts';
it('x', async () => {
  const storm = new Storm(Number(process.env.SEED));
  await storm.live();
  const { world } = storm;
  const from = world.cloud.calls.length; const logFrom = world.logged.length; const start = world.clock.nowMs();
  await storm.calm();
  console.log([...world.cloud.mails.values()].map((m) => [m.id, m.status, m.agentId, m.begun, m.uncertain, world.ledger.mail(m.id)?.state]));
  const w = process.env.MAIL; if (w) { console.log(world.cloud.calls.filter((c) => c.mailId === w || c.name==='sync').map((c) => `${c.name} ${c.mailId} ${c.atMs - 1772413200000} ${c.answer} ${c.name==='sync'?'':c.body}`).slice(0,80).join('\n')); console.log(JSON.stringify(world.cloud.mail(w).history), world.ledger.attempts(w), world.ledger.reportFor(w, null), world.commits.flatMap((c)=>c.changes.filter((x)=>JSON.stringify(x).includes(`"mailId":"${w}"`)||x.kind.startsWith('report')).map((x)=>JSON.stringify(x).slice(0,230)+(c.failed??''))).join('\n')); }
  console.log(world.ledger.counts(), world.ledger.holds(), world.ledger.openClaim());
  console.log(world.cloud.calls.slice(from, from + 30).map((c) => `${c.name} ${c.mailId} ${c.atMs - start} ${c.answer}`).join('\n'));
  console.log(world.cloud.calls.slice(-10).map((c) => `${c.name} ${c.mailId} ${c.atMs - start} ${c.answer}`).join('\n'));
  console.log(world.logged.slice(logFrom, logFrom + 40).join('\n'));
});
