/** Names each change that no test noticed as soon as that is known: a run takes long. */
class AsTheyCome {
  onMutantTested({ status, fileName, location, replacement }) {
    if (status !== 'Survived' && status !== 'NoCoverage') return;
    process.stdout.write(`  not noticed: ${fileName}:${location.start.line}:${location.start.column} ${replacement}\n`);
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'as-they-come', injectableClass: AsTheyCome }];
