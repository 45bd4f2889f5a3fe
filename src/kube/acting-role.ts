/** A role for the console's credential, with which it acts as people. */
export interface ActingRole {
  /** Whether it lets the console make changes as people, and nothing else: Kubernetes 1.36 and later. */
  readonly isNarrow: boolean;
  readonly yaml: string;
}

const narrowRole: ActingRole = {
  isNarrow: true,
  yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: wheelhouse-acting
rules:
  - apiGroups: [authentication.k8s.io]
    resources: [users, groups, userextras/wheelhouse.email, userextras/wheelhouse.name]
    verbs: ["impersonate:user-info"]
  - apiGroups: [""]
    resources:
      - configmaps
      - namespaces
      - nodes
      - persistentvolumeclaims
      - persistentvolumes
      - pods
      - pods/eviction
      - secrets
      - services
    verbs:
      - "impersonate-on:user-info:create"
      - "impersonate-on:user-info:update"
      - "impersonate-on:user-info:patch"
      - "impersonate-on:user-info:delete"
  - apiGroups: [apps, batch, autoscaling, networking.k8s.io, policy]
    resources: ["*"]
    verbs:
      - "impersonate-on:user-info:create"
      - "impersonate-on:user-info:update"
      - "impersonate-on:user-info:patch"
      - "impersonate-on:user-info:delete"
  - apiGroups: [""]
    resources: [pods/exec, pods/attach]
    verbs: ["impersonate-on:user-info:get"]
  - apiGroups: [authorization.k8s.io]
    resources: [selfsubjectaccessreviews, selfsubjectrulesreviews]
    verbs: ["impersonate-on:user-info:create"]
`,
};

const wideRole: ActingRole = {
  isNarrow: false,
  yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: wheelhouse-impersonator
rules:
  - apiGroups: [""]
    resources: [users, groups]
    verbs: [impersonate]
  - apiGroups: [authentication.k8s.io]
    resources: [userextras/wheelhouse.email, userextras/wheelhouse.name]
    verbs: [impersonate]
`,
};

/** First minor version of Kubernetes 1 that constrains impersonation without a feature gate (beta in 1.36). */
const constrainedSince = 36;

/** The role that a cluster's version needs; the narrow one where the version is unknown. @param version e.g. `v1.36.2` */
export function actingRole(version: string | undefined): ActingRole {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined || Number(major) > 1) return narrowRole;
  return Number(minor) >= constrainedSince ? narrowRole : wideRole;
}
