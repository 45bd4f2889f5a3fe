import { defineConfig } from 'playwright/test';
import endToEnd from '../e2e/playwright.config.ts';

// oxlint-disable-next-line import/no-default-export -- what Playwright asks for
export default defineConfig({
  ...endToEnd,
  testDir: '.',
  testMatch: '*.shots.ts',
  projects: [{}],
  // Journeys leave their pages unpainted; here they are looked at.
  use: { ...endToEnd.use, isPainted: true },
  globalSetup: '../e2e/build-page.ts',
  // One product for all pictures.
  workers: 1,
  reporter: 'line',
});
