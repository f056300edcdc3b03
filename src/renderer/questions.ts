import type { Question } from '../shared/ipc/views.ts';

/** What waits for an answer or an act of the person. Refused mails are told, but ask nothing. */
export const countQuestions = (questions: readonly Question[]): number => questions.filter(isOpen).length;

function isOpen(question: Question): boolean {
  switch (question.kind) {
    case 'uncertain':
      return question.answer === null;
    case 'conflict':
    case 'held-address':
    case 'account':
      return true;
    case 'failed':
      return false;
  }
}

/** A question's own name, stable while the list changes around it. */
export function questionKey(question: Question): string {
  switch (question.kind) {
    case 'uncertain':
    case 'conflict':
      return `${question.kind}/${question.mail.id}`;
    case 'held-address':
      return `held/${question.address}`;
    case 'account':
      return `account/${question.hold}`;
    case 'failed':
      return `failed/${question.cause}`;
  }
}
