import { type NextSteps, saidByFinding } from './step.ts';

/** Next steps for findings about workloads and what makes their pods. */
const workloadSteps: NextSteps = {
  '*.blocked': 'Remove what the message names, or change the pod template so that its pods are accepted.',
  '*.degraded': 'Open a pod that is not ready: its own findings say why.',
  '*.rollout-stuck': 'Open a pod of the new revision, or go back to the revision before.',
  '*.unavailable': 'Open one of its pods: its own findings say why.',
  'cronjob.deadline': saidByFinding,
  'cronjob.failing': 'Open its last job: the log of its pod says why it failed.',
  'cronjob.not-started':
    'Correct what the message names: the quota, the template of its job, or the schedule.',
  'cronjob.schedule': 'Correct the schedule: five fields, such as 0 3 * * *.',
  'cronjob.suspended': 'Resume it if it shall run again.',
  'cronjob.waits': 'Delete the job if it hangs, or allow jobs at the same time with concurrencyPolicy.',
  'daemonset.nodes-left-out': 'Add a toleration to the pod template if it shall run there too.',
  'deployment.no-replicaset': 'Correct what the message names, as a quota or a policy, and roll out again.',
  'deployment.paused': 'Resume the rollout once the changes are complete.',
  'job.deadline': 'Raise activeDeadlineSeconds, or find out why it takes so long, then create the job again.',
  'job.failed': 'Read the log of a failed pod, then create the job again.',
  'job.failing': 'Read the log of the pod that failed last.',
  'job.no-pods': 'Correct what the event names; the job then starts its pods by itself.',
  'job.retrying': 'Read the log of the pod that failed last.',
  'job.suspended': 'Resume it if it shall run.',
  'statefulset.left-behind': saidByFinding,
  'statefulset.no-service': 'Create the headless service.',
  'statefulset.partition': 'Set the partition to 0 to update the remaining pods.',
  'workload.admission-policy': 'Change in the pod template what the policy asks for, or the policy.',
  'workload.limit-range': 'Change requests and limits in the pod template, or the limit range.',
  'workload.on-delete': 'Delete its pods one by one, or set the strategy to RollingUpdate.',
  'workload.pod-security': 'Set the fields that the message names in the pod template.',
  'workload.priority-class': 'Create the priority class, or correct its name in the pod template.',
  'workload.quota': 'Raise the quota, or scale something in the namespace down.',
  'workload.quota-requests': 'Set requests and limits for every container of the pod template.',
  'workload.refused': 'Change in the pod template what the message names.',
  'workload.service-account': 'Create the service account, or correct its name in the pod template.',
  'workload.webhook':
    'Change what the webhook refuses. If the webhook does not answer, look at its Service and its pods.',
};

/** Next steps for findings about nodes. */
const nodeSteps: NextSteps = {
  'node.budgets-overlap': 'Change the selector of one of the budgets, or delete one.',
  'node.clock': saidByFinding,
  'node.cordoned': 'Uncordon the node once the work on it is done.',
  'node.disk-pressure': 'Delete images and logs that are not needed on the node, or give it a larger disk.',
  'node.drain-blocked': saidByFinding,
  'node.kubelet-old': 'Update the kubelet of the node, one minor version after the other.',
  'node.memory-pressure': 'Set requests and limits for its pods, or move some to other nodes.',
  'node.network-plugin': 'Repair the pod of the network plugin.',
  'node.network-unavailable': 'Check that the network plugin runs on the node.',
  'node.not-ready':
    'Look at the machine: is it on, and do its kubelet and container runtime run? If it is gone for good, delete the node so that its pods start elsewhere.',
  'node.pid-pressure': 'Find the pod with too many processes, or set podPidsLimit of the kubelet.',
  'node.pressure': 'Move pods to other nodes, and find out which one takes so much.',
};

/** Next steps for findings about claims, volumes and classes. */
const storageSteps: NextSteps = {
  'claim.change-failed': 'Do what the message names; the volume stays as it is until then.',
  'claim.class-missing': 'Create the storage class, or create the claim anew with an existing one.',
  'claim.deleted':
    'Delete the pods that still use it, or let the deletion end before a new claim is created.',
  'claim.expansion-waits': 'Start a pod with the claim anew, or look at the resizer of the driver.',
  'claim.no-default-class': 'Create the claim anew with a storage class, or make one the default.',
  'claim.no-volume': 'Create a volume that fits, or create the claim anew with another storage class.',
  'claim.not-enlarged': 'Do what the message names; the claim keeps its old size until then.',
  'claim.provisioner-silent': 'Install the driver, or create the claim anew with another storage class.',
  'claim.provisioning': 'Correct what the provisioner names in the claim or in its class.',
  'class.two-defaults':
    'Remove the annotation storageclass.kubernetes.io/is-default-class from all classes but one.',
  'object.disk-full': 'Enlarge the claim.',
  'persistentvolume.failed':
    'Delete the volume in the storage system and here, once its data are not needed.',
  'persistentvolumeclaim.lost': 'Create the claim anew, and restore its data from a backup.',
  'persistentvolumeclaim.pending': 'Check its storage class and the provisioner of that.',
  'volume.not-deleted': 'Do what the message of the driver names: it tries again by itself.',
  'volume.released':
    'Remove claimRef from the volume to use it again, or delete it once its data are not needed.',
  'volumeattachment.failed': 'Check the node and the storage driver that the message names.',
};

/** Next steps for findings about the network. */
const networkSteps: NextSteps = {
  '*.no-service': 'Create the service, or correct its name in the configuration.',
  '*.not-accepted': 'Correct what its controller names in the message.',
  'gateway.class-missing': 'Create the gateway class by installing its controller, or name an existing one.',
  'gateway.refused': 'Correct what its controller names in the message.',
  'gatewayclass.refused': 'Correct what its controller names in the message.',
  'ingress.call-forbidden': 'Allow the namespace of the ingress controller in the policies.',
  'ingress.certificate-host': 'Use a certificate that names this host.',
  'ingress.certificate-missing': 'Create the Secret, or let cert-manager issue the certificate.',
  'ingress.class-annotation': 'Set spec.ingressClassName, and remove the annotation.',
  'ingress.class-missing': 'Set an ingress class that exists, or install its controller.',
  'ingress.class-unset': 'Set spec.ingressClassName.',
  'ingress.no-backend': 'Create the service, or correct its name in the ingress.',
  'ingress.no-class': 'Set spec.ingressClassName to a class that exists.',
  'ingress.service-missing': 'Create the service, or correct its name in the ingress.',
  'ingress.service-port': 'Set the port to one that the service has.',
  'networkpolicy.allows-all': 'Name the sources or the ports that the rule is to allow.',
  'networkpolicy.no-pods': 'Correct the selector of the policy, or delete the policy.',
  'route.gateway-missing': 'Correct the name of the gateway in the route, or create the gateway.',
  'route.namespace': 'Label the namespace so that the gateway allows it, or change the gateway.',
  'route.not-granted': 'Create a ReferenceGrant in the namespace of the service.',
  'route.refused': 'Correct what its controller names in the message.',
  'route.service-missing': 'Create the service, or correct its name in the route.',
  'secret.certificate': 'Replace the certificate in the Secret.',
  'service.external-name': 'Correct the name in the service, or create the other service.',
  'service.load-balancer': 'Correct what the message names at the cloud provider or in the annotations.',
  'service.no-address': saidByFinding,
  'service.no-pods': 'Correct the selector of the service, or the labels in the pod template.',
  'service.none-ready': 'Open a pod behind it: its own findings say why it is not ready.',
  'service.port': 'Set targetPort to a port that the pods listen on.',
  'service.scaled-to-zero': 'Scale it up, or resume what keeps it at 0.',
  'virtualservice.service-missing': 'Create the service, or correct its name in the VirtualService.',
  'virtualservice.subset': 'Add the subset to the DestinationRule, or send requests to an existing one.',
};

/** Next steps for findings about certificates of cert-manager. */
const certificateSteps: NextSteps = {
  'certificate.issuer': 'Repair the issuer, or name another one in the certificate.',
  'certificaterequest.refused': 'Correct what the message names; a new request follows by itself.',
  'challenge.class-missing': 'Correct the ingress class in the solver of the issuer.',
  'challenge.fails':
    'Check that the host leads to this cluster by DNS, and that port 80 is open from the internet.',
  'challenge.secret-missing': 'Create the Secret with the credential of the DNS provider.',
};

/** Next steps for findings about autoscalers and budgets. */
const scalingSteps: NextSteps = {
  'budget.no-pods': 'Correct the selector of the budget, or delete the budget.',
  'budget.uncounted':
    'Let the budget select only pods of a controller that has a scale, or use minAvailable as a number.',
  'budget.overlap': 'Change the selector of one of the budgets, or delete one.',
  'hpa.at-most': 'Raise maxReplicas if the cluster has room for more pods.',
  'hpa.metrics-api': saidByFinding,
  'hpa.no-metrics': 'Check that the metrics API of the cluster serves the metric that it names.',
  'hpa.no-requests': 'Set a request for the resource in every container of the target.',
  'hpa.some-metrics': 'Check that the metrics API of the cluster serves the metric that it names.',
  'hpa.target-kind': 'Name a target that can be scaled, such as a Deployment.',
  'hpa.target-missing': 'Correct the name of the target, or delete the autoscaler.',
  'hpa.two-scalers': 'Delete one of the two.',
  'hpa.unable': 'Correct what the message names.',
  'poddisruptionbudget.blocks': 'Allow one disruption in the budget, or run one pod more.',
  'poddisruptionbudget.no-pods': 'Correct the selector of the budget, or delete the budget.',
  'poddisruptionbudget.uncounted':
    'Let the budget select only pods of a controller that has a scale, or use minAvailable as a number.',
  'signing-request.unanswered':
    'Approve or deny it, or run a controller that does: kubectl certificate approve.',
  'scaledobject.fallback': 'Check the source that its trigger measures.',
  'scaledobject.not-ready': 'Correct what KEDA names in the message.',
  'scaledobject.target-missing': 'Correct the name of the target, or delete the scaler.',
};

/** Next steps for findings about what operators and delivery tools make. */
const operatorSteps: NextSteps = {
  '*.not-fetched': 'Correct the address or the credential in the Secret that it names.',
  '*.suspended': 'Resume it if changes shall be applied again.',
  'application.error': 'Correct the manifests or the sync options at their source.',
  'application.sync-failed': 'Correct the manifests at their source, and sync again.',
  'catalogsource.unreachable': 'Look at the pod of the catalog source.',
  'cephcluster.health': 'Add storage to the cluster, or delete data, before anything else writes.',
  'clustercatalog.unavailable': 'Correct the image of the catalog.',
  'clusterextension.failed': 'Correct the package, the channel or the version of the extension.',
  'clusterserviceversion.failed': 'Open the deployments of the operator: their own findings say more.',
  'custom.trouble': 'Correct what its operator names in the message; the log of the operator may say more.',
  'installplan.failed': 'Approve the plan, or correct what it names.',
  'object.part-log': 'Correct what the line of the log names.',
  'object.reference-missing': 'Create the object, or correct its name.',
  'object.repeated-warning': 'Correct what the event names, if it matters here.',
  'object.under-way': 'Read the log of its operator if it takes longer than it should.',
  'object.warning': 'Correct what the event names.',
  'operatorgroup.several': 'Delete all operator groups of the namespace but one.',
  'release.failed': 'Correct the chart or its values, and upgrade again, or roll back.',
  'release.pending': 'Roll back to the last revision that was deployed.',
  'release.waited': 'Open what the release made: the findings of its pods say why they are not ready.',
  'subscription.catalog': 'Look at the catalog source that the subscription names.',
  'subscription.unresolved': 'Correct the channel or the name of the package.',
};

/** Next steps for findings about access, definitions and deletion. */
const clusterSteps: NextSteps = {
  '*.no-role': 'Create the role, or bind an existing one.',
  'clusterrole.wildcard': 'List the verbs and resources that are needed.',
  'configmap.large': 'Split it, or keep the large key in a volume or an image.',
  'customresourcedefinition.names': 'Delete the other definition with these names, or rename this one.',
  'definition.converter-missing':
    'Create the service by installing the operator again, or set the conversion to None.',
  'definition.converter-silent': 'Repair the pods behind the service.',
  'namespace.discovery': 'Repair the server behind the API, or delete the APIService if it is gone for good.',
  'namespace.finalizers': saidByFinding,
  'namespace.stuck': 'Look at what is left in it, and at the controllers whose finalizers hold that.',
  'object.deletion-held':
    'Start the controller that removes the finalizer, or remove the finalizer by hand if the controller is gone.',
  'object.finalizer': saidByFinding,
  'resourcequota.exhausted': 'Raise the quota, or scale something in the namespace down.',
  'role.wildcard': 'List the verbs and resources that are needed.',
  'webhook.service-missing': 'Create the service by installing the webhook again, or delete the webhook.',
  'webhook.service-silent': 'Repair the pods behind the service, or delete the webhook.',
};

/** Next steps for findings about objects other than pods. */
export const objectSteps: NextSteps = {
  ...workloadSteps,
  ...nodeSteps,
  ...storageSteps,
  ...networkSteps,
  ...certificateSteps,
  ...scalingSteps,
  ...operatorSteps,
  ...clusterSteps,
};
