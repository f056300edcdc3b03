/** Of `a.b.c` the last name, of `c` itself. */
const lastName = (node) => (node.type === 'MemberExpression' ? node.property.name : node.name);

const isLogCall = ({ node }) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  ['debug', 'info', 'warn', 'error'].includes(node.callee.property.name) &&
  lastName(node.callee.object) === 'log';

/** Leaves calls such as ports.log.info(...) as they are: what is logged is for engineers, and no test pins its words. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'log-words',
    value: { shouldIgnore: (path) => (isLogCall(path) ? 'What is logged is no behaviour.' : undefined) },
  },
];
