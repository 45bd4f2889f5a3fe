import { bundlePage } from './page-bundle.ts';

// The program that `buildInChild` starts: `page-build-child.ts ROOT FOLDER`. It says what went wrong over its channel.
const [root = '', folder = ''] = process.argv.slice(2);
// The parent process has ended, and nobody wants the page.
process.on('disconnect', () => process.exit(1));
// Ctrl-C reaches this process too. The server ends it, so that it can tell a stopped build from a failed one.
process.on('SIGINT', () => undefined);
try {
  await bundlePage(root, folder);
  process.exit(0);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ message }, () => process.exit(1));
}
