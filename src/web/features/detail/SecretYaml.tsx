import { Eye, EyeOff } from 'lucide-react';
import { useMemo } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import { type Secret, secretKeys } from '../../../kube/secret.ts';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import { Button } from '../../kit/Button.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { ObjectYaml } from './ObjectYaml.tsx';
import { type RevealedValues, useRevealed } from '../../frame/use-revealed.ts';

const icon = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** The Secret with the values that are shown in the place of their masks. */
function unmasked(secret: Secret, values: RevealedValues): Secret {
  if (values.size === 0) return secret;
  const shown = [...values].map(([key, bytes]) => [key, btoa(String.fromCharCode(...bytes))] as const);
  return { ...secret, data: { ...secret.data, ...Object.fromEntries(shown) } };
}

/** A Secret as YAML: masked until somebody asks for its values, and again after a minute. */
export function SecretYaml({ object, self }: { readonly object: KubeObject; readonly self: ObjectRef }) {
  const secret: Secret = object;
  const { values, busy, failure, reveal, hide } = useRevealed(self, object.metadata?.resourceVersion);
  const shown = useMemo(() => unmasked(secret, values), [secret, values]);
  const keys = secretKeys(secret);
  const isShown = values.size > 0;
  return (
    <>
      <ErrorAlert title="Nothing was revealed." error={failure} />
      <ObjectYaml
        object={shown}
        name={self.name}
        extra={
          keys.length > 0 && (
            <Button
              size="sm"
              variant="transparent"
              aria-pressed={isShown}
              icon={isShown ? <EyeOff {...icon} /> : <Eye {...icon} />}
              isLoading={busy.size > 0}
              onClick={() => (isShown ? hide() : reveal(keys))}
            >
              {isShown ? 'Hide values' : 'Reveal values'}
            </Button>
          )
        }
      />
    </>
  );
}
