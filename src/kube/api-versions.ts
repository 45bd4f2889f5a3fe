/** Names of Kubernetes's versions, such as `v1` and `v2beta1`, by number and stage. */
export const versionName = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Rank of a version among those of its group, as Kubernetes orders them: stable, beta, alpha. */
function rankOf(version: string): readonly [number, number, number] {
  const [, major, stage, minor] = versionName.exec(version) ?? [];
  if (major === undefined) return [-1, 0, 0];
  return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor ?? 0)];
}

/** Versions of an API group, the newest first. Source: `sigs.k8s.io` CompareKubeAwareVersionStrings. */
export function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    return right[0] - left[0] || right[1] - left[1] || right[2] - left[2];
  });
}
