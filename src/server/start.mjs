// The entry point of `npm start`, `npm run dev`, `npm run build` and `npm run admin`. Plain JavaScript for any Node,
// so that an old one is told what to do instead of stumbling over the TypeScript behind.
const required = 24;
if (Number.parseInt(process.versions.node, 10) < required) {
  console.error(
    `Wheelhouse runs on Node ${required} or later, and this is Node ${process.versions.node}. ` +
      'Start it through npm, which brings the right Node along: npm ci && npm start',
  );
  process.exit(1);
}

await import('./quick-start.mjs');
const [mode = '', ...parameters] = process.argv.slice(2);
if (mode === 'admin') {
  const { runAdmin } = await import('./boot/admin/admin.ts');
  process.exitCode = await runAdmin(parameters);
} else {
  const { main } = await import('./boot/main.ts');
  if (mode === '--dev') await main('dev', parameters);
  else if (mode === '--build-only') await main('build', parameters);
  else await main('start', process.argv.slice(2));
}
