// The editor's own work off the page.
import 'monaco-editor/editor/editor.worker';
