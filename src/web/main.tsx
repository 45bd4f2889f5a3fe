// First of all: what it asks for is on its way before the rest has run.
import './app/early.ts';
import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askAhead } from './app/ahead.ts';
import { App } from './app/App.tsx';
import { createApp } from './app/create-app.ts';
import { CheckingSession } from './app/Drawing.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
const app = createApp();
// Not from within the module: a browser that notes who asked for what would read the whole of it again.
queueMicrotask(() => void askAhead(app));
const page = createRoot(root);
page.render(<CheckingSession />);
// The first draw waits for the guards and then happens in one go; earlier it would arrive in slices.
void app.router.load().finally(() =>
  page.render(
    <StrictMode>
      <App app={app} />
    </StrictMode>,
  ),
);
