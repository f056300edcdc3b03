import type { JSX } from 'preact';
import { useTexts } from '../../texts.ts';

export const STEP_HEADING_ID = 'step-heading';

export function StepHead(props: {
  readonly step: 1 | 2 | 3;
  readonly title: string;
  readonly text: string;
}): JSX.Element {
  const { setUp } = useTexts();
  const { step, title, text } = props;
  return (
    <>
      <h2 id={STEP_HEADING_ID} tabIndex={-1} aria-label={setUp.stepOf(step, title)}>
        {title}
      </h2>
      <p class="quiet">{text}</p>
    </>
  );
}
