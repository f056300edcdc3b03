/** Of `a.b.c` the last name, of `c` itself. */
const lastName = (node) => (node.type === 'MemberExpression' ? node.property.name : node.name);

const isLogCall = ({ node }) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  ['debug', 'info', 'warn', 'error'].includes(node.callee.property.name) &&
  lastName(node.callee.object) === 'log';

const isThrownError = ({ node, parent }) =>
  parent?.type === 'ThrowStatement' && node.type === 'NewExpression' && node.callee.name === 'Error';

const isNever = ({ node }) =>
  node.type === 'SwitchCase' && node.test === null && node.consequent[0]?.argument?.callee?.name === 'assertNever';

const ignorer = (name, isIgnored, why) => ({
  kind: 'Ignore',
  name,
  value: { shouldIgnore: (path) => (isIgnored(path) ? why : undefined) },
});

/** What is left as it is. That an error is thrown at all is changed all the same; its words are not. */
export const strykerPlugins = [
  ignorer('log-words', isLogCall, 'What is logged is for engineers, and no test pins its words.'),
  ignorer('words-of-bugs', isThrownError, 'An exception is a bug; its words are for engineers.'),
  ignorer('never', isNever, 'The compiler proves that no value comes there.'),
];
