import { useState } from 'react';
import { renderTemplate } from '../../../../commands/templates/render.ts';
import { templateKinds, templateVariants } from '../../../registry/commands/templates.ts';
import { useCommands } from '../../core/commands.ts';
import { Button } from '../../kit/Button.tsx';
import { CopyButton } from '../../kit/CopyButton.tsx';
import { Select } from '../../kit/Select.tsx';
import { createLink } from '../../workspace/create-link.ts';
import { createTexts } from './messages.ts';

interface TemplatePickerProps {
  readonly clusterId: string;
  readonly namespace: string | undefined;
  /** The initial choice. */
  readonly resource: string;
  readonly variant: string;
  readonly onApply: (text: string) => void;
}

/** Chooses a template by kind and name; applying it fills the editor. */
export function TemplatePicker({ clusterId, namespace, onApply, ...first }: TemplatePickerProps) {
  const { commands } = useCommands().registry;
  const [resource, setResource] = useState(first.resource);
  const [variant, setVariant] = useState(first.variant);
  const isComplete = resource !== '' && variant !== '';
  return (
    <>
      <Select
        label="Resource type"
        placeholder="Select resource type"
        value={resource}
        options={templateKinds(commands).map((one) => ({ value: one, label: one }))}
        onChange={(one) => {
          setResource(one);
          setVariant('');
        }}
      />
      <Select
        label="Template"
        placeholder="Select template"
        value={variant}
        disabled={resource === ''}
        options={templateVariants(commands, resource).map((one) => ({ value: one, label: one }))}
        onChange={setVariant}
      />
      <div className="flex gap-1 narrow:col-span-full">
        <Button
          className="narrow:flex-1"
          variant="secondary"
          reason={isComplete ? undefined : 'Choose a resource type and a template.'}
          onClick={() => onApply(renderTemplate(resource, variant, { namespace }))}
        >
          {createTexts.apply}
        </Button>
        {isComplete && (
          <CopyButton text={() => createLink(location.origin, clusterId, resource, variant)}>
            Copy link
          </CopyButton>
        )}
      </div>
    </>
  );
}
