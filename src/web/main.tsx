// First of all: what it asks for is on its way before the rest has run.
import './app/early.ts';
import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askAhead } from './app/ahead.ts';
import { App } from './app/App.tsx';
import { createApp } from './app/create-app.ts';
import { tidyAddress } from './app/address.ts';

// Before anything else reads the address: a link's secret must not stay in it.
tidyAddress();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
const app = createApp();
// Not from within the module: a browser that notes who asked for what would read the whole of it again.
queueMicrotask(() => void askAhead(app));
createRoot(root).render(
  <StrictMode>
    <App app={app} />
  </StrictMode>,
);
