import { Download } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { KubeObject } from '../../../kube/object.ts';
import { useCommands } from '../../core/commands.ts';
import { Button } from '../../kit/Button.tsx';
import { copyText } from '../../kit/copy.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { CheckLine } from '../../kit/input.tsx';
import { saveText } from '../../kit/save.ts';
import { Toolbar } from '../../kit/Toolbar.tsx';
import { ViewBody } from '../../kit/ViewBody.tsx';
import { toYaml } from '../../yaml/to-yaml.ts';
import { YamlText } from '../../yaml/YamlText.tsx';

interface ObjectYamlProps {
  readonly object: KubeObject;
  readonly name: string;
  /** Further buttons. */
  readonly extra?: ReactNode;
}

/** An object as YAML, to read and to copy. It has no managed fields; the status can be left out. */
export function ObjectYaml({ object, name, extra }: ObjectYamlProps) {
  const [withStatus, setWithStatus] = useState(true);
  const text = useMemo(() => {
    if (withStatus) return toYaml(object);
    const { status: _status, ...rest } = object as KubeObject & { readonly status?: unknown };
    return toYaml(rest);
  }, [object, withStatus]);
  const { services } = useCommands();
  const turns = useMemo(
    () => ({
      status: () => setWithStatus((was) => !was),
      copy: () => void copyText('YAML', text, services.toast),
      download: () => saveText(`${name}.yaml`, text),
    }),
    [name, services, text],
  );
  return (
    <>
      <Toolbar>
        <CheckLine checked={withStatus} onChange={(event) => setWithStatus(event.target.checked)}>
          Status
        </CheckLine>
        <span className="text-(length:--text-xs) text-text-2 narrow:hidden">without managed fields</span>
        <span className="min-w-0 flex-1" />
        {extra}
        <CopyButton text={() => text}>Copy</CopyButton>
        <Button
          size="sm"
          variant="transparent"
          icon={<Download size={13} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => saveText(`${name}.yaml`, text)}
        >
          Download
        </Button>
      </Toolbar>
      <ViewBody isScrolled>
        <YamlText text={text} label={`YAML of ${name}`} turns={turns} />
      </ViewBody>
    </>
  );
}
