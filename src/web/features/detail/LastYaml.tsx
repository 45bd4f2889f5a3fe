import type { KubeObject } from '../../../kube/object.ts';
import type { AnyKind } from '../../../registry/kinds/kind.ts';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Toolbar } from '../../kit/Toolbar.tsx';
import { objectYaml } from '../../yaml/object-yaml.ts';
import { YamlText } from '../../yaml/YamlText.tsx';

interface LastYamlProps {
  readonly kind: AnyKind;
  readonly object: KubeObject;
  readonly name: string;
}

/** The YAML of an object that was deleted, in its last known state. */
export function LastYaml({ kind, object, name }: LastYamlProps) {
  const text = objectYaml(kind, object);
  return (
    <>
      <Toolbar className="border-t">
        <span className="min-w-0 flex-1" />
        <CopyButton text={() => text}>Copy YAML</CopyButton>
      </Toolbar>
      <YamlText text={text} label={`Last YAML of ${name}`} />
    </>
  );
}
