/** Second levels under which a country's registry gives out domains. */
const SHARED_SECOND_LEVELS = ['ac', 'co', 'com', 'edu', 'go', 'gov', 'gr', 'mil', 'ne', 'net', 'or', 'org'];

/**
 * The registered domain of a receiving server: `example.com` of `mx1.mail.example.com`, `example.com.cn` of
 * `mx.example.com.cn`. Null where the name is too short to have one. A rule of thumb and no list of public suffixes: a
 * wrong guess only asks a host that does not exist, and what it finds is confirmed by a person.
 */
export function receivingDomain(receiver: string): string | null {
  const labels = receiver.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const count = top.length === 2 && SHARED_SECOND_LEVELS.includes(second) ? 3 : 2;
  return labels.length < count || second === '' || top === '' ? null : labels.slice(-count).join('.');
}
