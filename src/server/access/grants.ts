import type { Permission } from '../../contract/permissions.ts';
import type { ClusterRow } from '../store/schema.ts';
import type { Member } from './person.ts';

/** The one place that answers "may they": from current grants, on every call. */
export interface Grants {
  /** The permissions of a person on a cluster of their company; empty when none of their teams reaches it. */
  permissions(
    person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
    clusterId: number,
  ): Promise<ReadonlySet<Permission>>;
  /** The clusters a person may see, by name. */
  clusters(person: Pick<Member, 'id' | 'companyId' | 'orgRole'>): Promise<ClusterRow[]>;
  /** The cluster, if the person may see it. Throws Problem 404 "No such cluster." otherwise: existence is not told. */
  cluster(person: Pick<Member, 'id' | 'companyId' | 'orgRole'>, clusterId: number): Promise<ClusterRow>;
  /** Throws Problem 404 as `cluster`, or 403 naming the permission that is missing; returns the cluster. */
  require(
    person: Pick<Member, 'id' | 'companyId' | 'orgRole'>,
    clusterId: number,
    permission: Permission,
  ): Promise<ClusterRow>;
}
