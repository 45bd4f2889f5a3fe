import { useState } from 'react';
import type { FieldIssue, ManifestResult } from '../../../contract/manifests.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Lack } from '../../../contract/problem-schema.ts';
import type { Manifest, ManifestDocument } from '../../../kube/manifest.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { unsure } from '../edit/unsure.ts';
import { createTexts } from './messages.ts';

/** The outcome of one document so far. */
export interface DocumentOutcome {
  /** The text it was read from: a document that is changed is another one. */
  readonly source: string;
  readonly ok: boolean;
  readonly title: string;
  readonly message: string;
  /** Fields of it that the cluster refused. */
  readonly fields: readonly FieldIssue[];
  /** What the person lacks for it, where that is why it failed. */
  readonly lacking?: Lack | undefined;
}

/** Creating the documents of a text: those that were created already are not sent again. */
export interface Creating {
  readonly isBusy: boolean;
  /** One sentence: "Failed to create resource: …", or that the text is invalid. */
  readonly error: string | undefined;
  /** What the person lacks for the first that was refused for want of a right. */
  readonly lacking: Lack | undefined;
  readonly outcomes: readonly DocumentOutcome[];
  /** Documents of a text that are yet to be created. */
  readonly rest: (documents: readonly ManifestDocument[]) => readonly ManifestDocument[];
  readonly submit: (clusterId: number, read: () => Promise<Manifest>) => void;
  /** Says nothing of failed tries any more; what was created is still known. */
  readonly clear: () => void;
}

/**
 * The failed documents, when none was created: an issue belongs to a document (`1`) or to a field of one
 * (`1.spec.replicas`).
 */
function failedOf(
  { issues }: Problem,
  wanted: readonly ManifestDocument[],
  whole: Manifest,
): readonly DocumentOutcome[] {
  const documents = whole.type === 'valid' ? whole.documents : [];
  const split = issues.map(({ path, message }) => {
    const [index = '', ...rest] = path.split('.');
    return { at: Number(index), field: rest.join('.'), message };
  });
  return split.flatMap(({ at, field, message }) => {
    const document = wanted[at];
    if (document === undefined || field !== '') return [];
    const fields = split
      .filter((one) => one.at === at && one.field !== '')
      .map((one) => ({ path: one.field, message: one.message }));
    const title = `Document ${documents.indexOf(document) + 1}`;
    return [{ source: document.source, ok: false, title, message, fields }];
  });
}

/**
 * @param manifest what the text is as it stands now; undefined while that is not known
 * @param onDone everything is created
 */
export function useCreate(manifest: Manifest | undefined, onDone: () => void): Creating {
  const { services } = useCommands();
  const { api } = useData();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const [lacking, setLacking] = useState<Lack | undefined>(undefined);
  const [outcomes, setOutcomes] = useState<readonly DocumentOutcome[]>([]);
  // It would contradict the panel beside the editor from the moment the text is valid again.
  if (error === createTexts.invalidYaml && manifest !== undefined && manifest.type !== 'invalid')
    setError(undefined);
  const done = new Set(outcomes.filter(({ ok }) => ok).map(({ source }) => source));
  const rest = (documents: readonly ManifestDocument[]) =>
    documents.filter(({ source }) => !done.has(source));

  const run = async (clusterId: number, read: () => Promise<Manifest>) => {
    const sent = await read();
    if (sent.type === 'invalid') {
      setError(createTexts.invalidYaml);
      return;
    }
    const wanted = rest(sent.type === 'valid' ? sent.documents : []);
    const yaml = wanted.map(({ source }) => source.replace(/\n*$/, '\n')).join('---\n');
    let results: readonly ManifestResult[];
    try {
      ({ results } = await api.createResource({ params: { clusterId }, body: { yaml } }));
    } catch (reason) {
      const failure = unsure(reason);
      const message = createTexts.failed(sentenceOf(failure));
      services.log('Failed to create a resource.', failure);
      setError(message);
      setLacking(failure instanceof Problem ? failure.lacking : undefined);
      services.toast.error(message);
      const failed = failure instanceof Problem ? failedOf(failure, wanted, sent) : [];
      setOutcomes((known) => [...known.filter(({ ok }) => ok), ...failed]);
      return;
    }
    const outcomes = results.map((result) => ({
      source: wanted[result.index]?.source ?? '',
      ok: result.ok,
      title: `${result.kind} ${result.namespace === null ? '' : `${result.namespace}/`}${result.name}`,
      message: result.message,
      fields: result.fields ?? [],
      lacking: result.lacking,
    }));
    const failed = outcomes.filter(({ ok }) => !ok);
    // A List is created only once all of it is.
    const whole = outcomes.map((one) => ({
      ...one,
      source: one.ok && failed.some(({ source }) => source === one.source) ? '' : one.source,
    }));
    const all = [...outcomes.filter(({ ok }) => ok), ...whole];
    setOutcomes(all);
    const [first] = failed;
    if (first === undefined) {
      services.toast.success(createTexts.created, { detail: outcomes.map(({ title }) => title).join('\n') });
      onDone();
      return;
    }
    const message = createTexts.failed(
      failed.length === 1 ? first.message : `${failed.length} of ${outcomes.length} were refused.`,
    );
    setError(message);
    setLacking(failed.find(({ lacking }) => lacking !== undefined)?.lacking);
    services.toast.error(message);
  };

  return {
    isBusy,
    error,
    lacking,
    outcomes,
    rest,
    submit: (clusterId, read) => {
      if (isBusy) return;
      setBusy(true);
      setError(undefined);
      setLacking(undefined);
      run(clusterId, read)
        .catch((failure: unknown) => setError(sentenceOf(failure)))
        .finally(() => setBusy(false));
    },
    clear: () => {
      setError(undefined);
      setOutcomes((known) => known.filter(({ ok }) => ok));
    },
  };
}
