import type { JSX } from 'preact';
import type { TodayView as Today } from '../../../shared/ipc/views.ts';
import { taskSum } from '../../../shared/task-sum.ts';
import { Empty } from '../../parts/empty.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Ago } from '../../parts/time.tsx';
import type { Detail, Place } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { useNow } from '../../use-now.ts';
import { useRequest } from '../../use-request.ts';
import { Actions } from './actions.tsx';
import { Holds } from './holds.tsx';
import { nextLine } from './next-line.ts';
import { StatusWord } from './status-word.tsx';
import { TaskList } from './task-list.tsx';
import { UnderWay } from './under-way.tsx';

type Ways = { readonly onOpen: (detail: Detail) => void; readonly onGo: (place: Place) => void };

/** Is it working, how far, does it need me: one glance. */
export function TodayView(props: Ways & { readonly isSetUp: boolean }): JSX.Element {
  const { today: texts } = useTexts();
  if (!props.isSetUp) {
    return (
      <Page title={texts.title}>
        <Empty icon="set-up" title={texts.setUpTitle} text={texts.setUpText}>
          <button type="button" class="primary" onClick={() => props.onGo('set-up')}>
            {texts.setUpGo}
          </button>
        </Empty>
      </Page>
    );
  }
  return <TodayAtWork onOpen={props.onOpen} onGo={props.onGo} />;
}

const CLOCK_MS = 5000;

function TodayAtWork(ways: Ways): JSX.Element {
  const { today: texts } = useTexts();
  const [today, ask] = useRequest('today', null);
  const nowMs = useNow(CLOCK_MS);
  return (
    <Page
      title={texts.title}
      aside={today.kind === 'here' ? <StatusWord state={today.value.status.state} /> : undefined}
    >
      <LoadedView loaded={today} onTryAgain={ask}>
        {(value) => <TodayHere today={value} nowMs={nowMs} ways={ways} />}
      </LoadedView>
    </Page>
  );
}

function TodayHere(props: { readonly today: Today; readonly nowMs: number; readonly ways: Ways }): JSX.Element {
  const { today, nowMs, ways } = props;
  const { status, currentMail } = today;
  const { tasks } = status;
  const texts = useTexts();
  const words = texts.today;
  const sum = taskSum(tasks);
  const isEmpty = sum.total === 0;
  const next = isEmpty && status.waiting?.why === 'nothing-to-send' ? null : nextLine(status, texts, nowMs);
  const isAllDone = sum.total > 0 && sum.sent + sum.failed + sum.uncertain >= sum.total;
  const remarks = [
    ...(sum.failed > 0 ? [words.refused(sum.failed)] : []),
    ...(sum.uncertain > 0 ? [words.uncertain(sum.uncertain)] : []),
    ...(status.counts.untold > 0 ? [words.untold(status.counts.untold)] : []),
  ];
  const openQuestions = status.counts.uncertain + status.counts.conflicts;
  return (
    <>
      {isEmpty ? (
        <Empty icon="mails" title={words.emptyTitle} text={words.emptyText} />
      ) : (
        <section class="hero">
          <p class="hero-line" role="status">
            {words.progress(sum.sent, sum.total)}
          </p>
          <Progress label={words.progressLabel} done={sum.sent} total={sum.total} />
          {remarks.length > 0 && <p class="remarks">{remarks.join(' · ')}</p>}
        </section>
      )}
      {!status.cloudReachable && <p class="note">{words.offlineText}</p>}
      <Holds status={status} nowMs={nowMs} onOpen={ways.onOpen} />
      {openQuestions > 0 && (
        <button type="button" class="row-link tone-ask" onClick={() => ways.onGo('needs-you')}>
          {words.answerThem(openQuestions)}
        </button>
      )}
      {status.current !== null && <UnderWay current={status.current} mail={currentMail} onOpen={ways.onOpen} />}
      {next !== null && (
        <p class="next" role="status">
          {isAllDone && status.waiting?.why === 'nothing-to-send' ? words.allDoneText : next}
        </p>
      )}
      <Actions status={status} />
      {tasks.length > 0 && <TaskList tasks={tasks} />}
      <p class="foot quiet">
        {status.lastHeartbeatAtMs === null ? (
          words.noHeartbeat
        ) : (
          <HeartbeatLine atMs={status.lastHeartbeatAtMs} nowMs={nowMs} />
        )}
      </p>
    </>
  );
}

/** The sentence is one text with the time in it, so that each language orders it as it likes. */
function HeartbeatLine(props: { readonly atMs: number; readonly nowMs: number }): JSX.Element {
  const { today: words } = useTexts();
  const [before, after] = words.heartbeat('\u0000').split('\u0000');
  return (
    <>
      {before}
      <Ago atMs={props.atMs} nowMs={props.nowMs} />
      {after}
    </>
  );
}
