import { actingRole } from '../../../kube/acting-role.ts';
import { CopiedText } from '../../kit/CopiedText.tsx';

/** The role that the console's credential needs on a cluster to act as people. @param version of the cluster */
export function ActingRole({ version }: { readonly version: string | undefined }) {
  const { isNarrow, yaml } = actingRole(version);
  return (
    <details className="mt-1 ml-6">
      <summary className="w-fit cursor-pointer text-text-2 narrow:min-h-11 narrow:content-center">
        Role for the console’s credential
      </summary>
      <div className="mt-1.5 flex flex-col gap-1.5">
        <CopiedText label="ClusterRole to apply on the cluster" text={yaml} copy="Copy role">
          {isNarrow
            ? 'This role lets the console make changes as people, and read nothing as them. Add other resources that people change here, such as custom resources, and bind the role to the credential’s user or service account.'
            : `Kubernetes ${version ?? ''} has no narrower right: with this role the credential can do everything on the cluster, as any user or group. Limit it by an admission policy to names that begin with “wheelhouse:”, and replace it once the cluster runs Kubernetes 1.36 or later.`}
        </CopiedText>
      </div>
    </details>
  );
}
