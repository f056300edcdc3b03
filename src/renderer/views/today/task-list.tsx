import type { JSX } from 'preact';
import type { TaskProgress } from '../../../shared/status.ts';
import { Progress } from '../../parts/progress.tsx';
import { useTexts } from '../../texts.ts';

/** How far each batch is. */
export function TaskList(props: { readonly tasks: readonly TaskProgress[] }): JSX.Element {
  const { today: texts } = useTexts();
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">{texts.tasks}</h2>
      <ul class="tasks">
        {props.tasks.map((task) => (
          <li key={task.taskId}>
            <div class="task-line">
              <span class="one-line" title={task.name}>
                {task.name}
              </span>
              <span class="quiet numbers">{texts.progress(task.sent, task.total)}</span>
            </div>
            <Progress label={task.name} done={task.sent} total={task.total} />
            {(task.failed > 0 || task.uncertain > 0) && (
              <p class="quiet">
                {[
                  ...(task.failed > 0 ? [texts.refused(task.failed)] : []),
                  ...(task.uncertain > 0 ? [texts.uncertain(task.uncertain)] : []),
                ].join(' · ')}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
