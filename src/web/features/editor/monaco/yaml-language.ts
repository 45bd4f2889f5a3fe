import 'monaco-editor/languages/definitions/yaml/register';
import { configureMonacoYaml, type JSONSchema, type MonacoYaml } from 'monaco-yaml';
import { isMisread } from '../../../../kube/yaml/misread.ts';
import { monaco } from './monaco.ts';

/** The options that the library has wanted in place of a label since 0.53 (monaco-yaml#272). */
interface WorkerOptions {
  readonly label: string;
  readonly createData: unknown;
}

function createWebWorker({ label, createData }: WorkerOptions) {
  const worker = Promise.resolve(globalThis.MonacoEnvironment?.getWorker?.('', label)).then((made) => {
    if (made === undefined) throw new Error('The editor has no workers.');
    // The worker's start waits for any first message, then its options.
    made.postMessage('ignore', []);
    made.postMessage(createData, []);
    return made;
  });
  return monaco.editor.createWebWorker({ worker });
}

/** Our own parser reports syntax errors: markers from here are hints. */
const setModelMarkers: typeof monaco.editor.setModelMarkers = (model, owner, markers) =>
  monaco.editor.setModelMarkers(
    model,
    owner,
    markers.filter(
      (marker) =>
        marker.severity !== monaco.MarkerSeverity.Error && !isMisread(model.getValueInRange(marker)),
    ),
  );

const schemas = new Map<string, JSONSchema>();
let service: MonacoYaml | undefined;
let isTold = true;

const options = () => ({
  enableSchemaRequest: false,
  isKubernetes: true,
  hoverSchemaSource: false,
  format: { enable: false },
  // Octal numbers, yes and no, and merge keys, as kubectl has them.
  yamlVersion: '1.1' as const,
  schemas: [...schemas].map(([file, schema]) => ({ uri: `${file}.schema`, fileMatch: [file], schema })),
});

/** Teaches the editor YAML, once. */
export function startYaml(): void {
  if (service !== undefined) return;
  service = configureMonacoYaml(
    { ...monaco, editor: { ...monaco.editor, createWebWorker, setModelMarkers } },
    options(),
  );
}

/** Gives a text the schema it is held against, or none; those of other texts stay. */
export function setSchema(file: string, schema: JSONSchema | undefined): void {
  if (schemas.get(file) === schema) return;
  if (schema === undefined) schemas.delete(file);
  else schemas.set(file, schema);
  if (!isTold) return;
  // Telling it starts its worker anew: once for all that changes now.
  isTold = false;
  queueMicrotask(() => {
    isTold = true;
    void service?.update(options());
  });
}
