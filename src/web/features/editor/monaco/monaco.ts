/**
 * The editor's library with what editing YAML takes of it, and nothing else: all of it together is twice as large.
 * Its context menu is left out, so that the browser's own (with Paste) shows.
 */
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/placeholderText/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/tokenization/register';
import 'monaco-editor/features/wordOperations/register';
// The features' own lists leave these two out: without them there is no completion, and no word is said.
import 'monaco-editor/editor/contrib/caretOperations/browser/caretOperations';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import * as monaco from 'monaco-editor/editor/editor.api';

globalThis.MonacoEnvironment = {
  getWorker: (_, label) =>
    label === 'yaml'
      ? new Worker(new URL('./yaml.worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('./editor.worker.ts', import.meta.url), { type: 'module' }),
};

export { monaco };
