import { canonical } from '../../../kube/compared.ts';
import { toYaml } from '../../yaml/to-yaml.ts';
import { DiffText } from './DiffText.tsx';

interface TemplateChangeProps {
  readonly revision: number;
  /** The pod template of today. */
  readonly current: unknown;
  /** The pod template of the revision. */
  readonly template: unknown;
}

/** The difference that a rollback to a revision makes to the pod template. */
export function TemplateChange({ revision, current, template }: TemplateChangeProps) {
  return (
    <DiffText
      title={`What revision ${revision} changes in the pod template`}
      before={toYaml(canonical(current))}
      after={toYaml(canonical(template))}
      same="Its pod template is the same as the current one."
    />
  );
}
