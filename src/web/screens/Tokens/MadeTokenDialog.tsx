import { api } from '../../../contract/api.ts';
import { CopiedText } from '../../kit/CopiedText.tsx';
import { OnceDialog } from '../../kit/OnceDialog.tsx';

interface MadeTokenDialogProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a token, the only time it is known, and how it is used. */
export function MadeTokenDialog({ name, secret, onClose }: MadeTokenDialogProps) {
  const example = `curl -H "Authorization: Bearer $WHEELHOUSE_TOKEN" \\\n  ${location.origin}${api.clusters.path}`;
  return (
    <OnceDialog title={`API token ${name}`} onClose={onClose}>
      <CopiedText label="Token, shown only now" text={secret} copy="Copy token">
        Anybody who has this token can act as you, within its scopes. Store it like a password. If it leaks,
        revoke it and create another.
      </CopiedText>
      <CopiedText label="Example: the clusters that it reaches" text={example} copy="Copy example" />
    </OnceDialog>
  );
}
