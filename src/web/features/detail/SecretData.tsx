import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, Copy, Eye, EyeOff, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import { useData } from '../../data/port.ts';
import { Button } from '../../kit/Button.tsx';
import { wrappedCodeLook } from '../../kit/code.ts';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SecretFacts } from './SecretFacts.tsx';
import { byteText } from './secret-text.ts';
import { Section } from '../../kit/Section.tsx';
import { type Revealed, textOf, useRevealed } from '../../frame/use-revealed.ts';

/** How long the icon shows whether copying succeeded, ms. */
const feedbackDuration = 2_000;
const icon = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const;

const valueLook = `${wrappedCodeLook} max-h-80 overflow-auto rounded-sm border border-border bg-sunken px-2 py-1.5`;

interface SecretDataProps {
  readonly object: KubeObject;
  readonly self: ObjectRef;
  /** The server's clock, ms. */
  readonly now: number;
}

/** The contents of a Secret's version without its values; the previous version stays until the new one arrives. */
function useSecretContents({ cluster, namespace = '', name }: ObjectRef, version: string | undefined) {
  const { api } = useData();
  return useQuery({
    queryKey: ['secret-contents', cluster, namespace, name, version],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.secretContents({ params: { clusterId: Number(cluster), namespace, name } }, { signal }),
  });
}

/**
 * The keys of a Secret: masked, each revealed or copied by a call of its own; then everything that can be shown without
 * values.
 */
export function SecretData({ object, self, now }: SecretDataProps) {
  const version = object.metadata?.resourceVersion;
  const { data: contents, error, isPending, refetch } = useSecretContents(self, version);
  const revealed = useRevealed(self, version);
  return (
    <>
      <Section title="Data" about={contents?.keys.length}>
        <ErrorAlert error={error} onRetry={() => void refetch()} />
        <ErrorAlert title="Nothing was revealed." error={revealed.failure} />
        {contents?.keys.length === 0 && <p className="text-text-2">It holds nothing.</p>}
        <ul aria-label="Keys" aria-busy={isPending}>
          {contents?.keys.map(({ key, size, isText }) => (
            <SecretKey key={key} name={key} size={size} isText={isText} revealed={revealed} />
          ))}
        </ul>
        {contents !== undefined && contents.keys.length > 0 && (
          <p className="mt-1.5 text-(length:--text-xs) text-text-2">
            Each reveal is recorded in the audit log with the name of the key. Values are hidden after a
            minute, and when you leave this view.
          </p>
        )}
      </Section>
      {contents !== undefined && <SecretFacts contents={contents} now={now} />}
    </>
  );
}

interface SecretKeyProps {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly isText: boolean;
  readonly revealed: Revealed;
}

/** One key: its value is dots until somebody asks for it. */
function SecretKey({ name, size, isText, revealed }: SecretKeyProps) {
  const value = revealed.values.get(name);
  const text = value === undefined ? undefined : textOf(value);
  const isBusy = revealed.busy.has(name);
  return (
    <li aria-label={name} className="border-hairline py-1 not-first:border-t">
      <div className="flex min-w-0 flex-wrap items-center gap-1.5">
        <b className="mono font-semibold wrap-anywhere">{name}</b>
        <span className="text-(length:--text-xs) text-text-2">
          {isText ? byteText(size) : `${byteText(size)}, binary`}
        </span>
        <span className="ml-auto flex min-w-0 flex-wrap items-center gap-1.5">
          <Button
            size="sm"
            variant="transparent"
            aria-label={value === undefined ? `Reveal ${name}` : `Hide ${name}`}
            icon={value === undefined ? <Eye {...icon} /> : <EyeOff {...icon} />}
            isLoading={isBusy}
            onClick={() => (value === undefined ? revealed.reveal([name]) : revealed.hide([name]))}
          >
            {value === undefined ? 'Reveal' : 'Hide'}
          </Button>
          <CopySecret name={name} fetch={revealed.fetch} />
        </span>
      </div>
      {value === undefined ? (
        <div className="mono font-normal text-text-3" role="img" aria-label="hidden">
          ••••••••
        </div>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard has to reach it
        <pre className={valueLook} tabIndex={0} aria-label={`Value of ${name}`}>
          {text ?? `${btoa(String.fromCharCode(...value))}\n(binary, shown in base64)`}
        </pre>
      )}
      <span className="sr-only" role="status">
        {value !== undefined && `${name} is shown`}
      </span>
    </li>
  );
}

interface CopySecretProps {
  readonly name: string;
  readonly fetch: Revealed['fetch'];
}

/** Puts a value on the clipboard without showing it. */
function CopySecret({ name, fetch }: CopySecretProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'done' | { readonly failure: string }>('idle');
  useEffect(() => {
    if (state !== 'done') return undefined;
    const timer = setTimeout(() => setState('idle'), feedbackDuration);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    // Absent on pages that are not served over https or loopback: then nothing needs to be asked for.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (clipboard === undefined) {
      setState({ failure: 'The browser allows copying on https and localhost only.' });
      return;
    }
    setState('busy');
    try {
      const text = textOf(await fetch(name));
      if (text === undefined) {
        setState({ failure: 'Binary values cannot be copied.' });
        return;
      }
      await clipboard.writeText(text);
      setState('done');
    } catch (error) {
      setState({
        failure: error instanceof DOMException ? 'The browser did not allow copying.' : sentenceOf(error),
      });
    }
  };
  const failure = typeof state === 'object' ? state.failure : undefined;
  const Mark = state === 'done' ? Check : failure === undefined ? Copy : X;
  return (
    <>
      <Button
        size="sm"
        variant="transparent"
        aria-label={`Copy ${name}`}
        isLoading={state === 'busy'}
        icon={<Mark {...icon} />}
        onClick={() => void copy()}
      >
        Copy
      </Button>
      <span className="sr-only" role="status">
        {state === 'done' && `${name} copied`}
      </span>
      {failure !== undefined && (
        <span className="text-(length:--text-xs)" role="alert">
          {failure}
        </span>
      )}
    </>
  );
}
