import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { Release } from '../../../kube/helm.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { sectionLook } from '../../kit/Section.tsx';
import { Spinner } from '../../kit/Spinner.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { YamlText } from '../../yaml/YamlText.tsx';
import { useContents, useRevealedContents } from './use-contents.ts';

const icon = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const;

interface ReleaseContentsProps {
  readonly self: ObjectRef;
  readonly part: 'values' | 'manifest';
  readonly object: KubeObject;
}

/** Values or manifest of a release's newest revision: credentials are masked until somebody asks for them. */
export function ReleaseContents({ self, part, object }: ReleaseContentsProps) {
  const { revision }: Release = object;
  const contents = useContents(self, revision);
  const revealed = useRevealedContents(self, revision);
  const [isComputed, setComputed] = useState(false);
  const shown = revealed.contents ?? contents.data;
  const text =
    shown === undefined
      ? ''
      : part === 'manifest'
        ? shown.manifest
        : isComputed
          ? shown.computed
          : shown.values;
  const isShown = revealed.contents !== undefined;
  const label = part === 'manifest' ? 'Manifest' : isComputed ? 'Computed values' : 'Given values';
  return (
    <>
      <Toolbar>
        {part === 'values' && (
          <CheckLine checked={isComputed} onChange={(event) => setComputed(event.target.checked)}>
            With chart defaults
          </CheckLine>
        )}
        <span className="text-(length:--text-xs) text-text-2 narrow:hidden">
          {isShown ? 'nothing masked' : 'credentials masked'}
        </span>
        <span className="min-w-0 flex-1" />
        <Button
          size="sm"
          variant="transparent"
          aria-pressed={isShown}
          icon={isShown ? <EyeOff {...icon} /> : <Eye {...icon} />}
          isLoading={revealed.isBusy}
          reason={contents.data === undefined ? 'There is nothing to reveal.' : undefined}
          onClick={() => (isShown ? revealed.hide() : revealed.reveal())}
        >
          {isShown ? 'Hide values' : 'Reveal values'}
        </Button>
        <CopyButton text={() => text}>Copy</CopyButton>
      </Toolbar>
      <ViewBody isScrolled>
        <ErrorAlert title="Nothing was revealed." error={revealed.failure} />
        <ErrorAlert error={contents.error} onRetry={() => void contents.refetch()} />
        {contents.isPending && <Spinner label="Loading the revision…" />}
        {shown !== undefined &&
          (text === '' ? (
            <p className={`${sectionLook} text-text-2`}>
              {part === 'manifest' ? 'The manifest is empty.' : 'No values were given.'}
            </p>
          ) : (
            <YamlText text={text} label={`${label} of ${self.name}`} />
          ))}
      </ViewBody>
    </>
  );
}
