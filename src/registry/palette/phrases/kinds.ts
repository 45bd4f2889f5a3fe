import type { Phrases } from './phrases.ts';

/** Phrases for lists of kinds. */
export const kindsPhrases: Phrases = {
  'clusterrole.list': `
    kubectl get clusterroles, cluster roles, cluster wide roles, global roles`,
  'clusterrolebinding.list': `
    kubectl get clusterrolebindings, cluster admin, cluster admins, who is cluster admin, cluster wide bindings`,
  'configmap.list': `
    env vars, environment variables, config files, configuration, app config, kubectl get cm, config map, config
    maps, settings of app, app settings, application config, application settings, properties file,
    application.properties, dotenv, .env, parameter store, config file, feature flags, where is the config,
    environment, where are my environment variables`,
  'cronjob.list': `
    scheduled jobs, crontab, schedules, timers, cron, kubectl get cj, kubectl get cronjobs, cron jobs, scheduled
    tasks, recurring tasks, recurring jobs, nightly jobs, periodic jobs, scheduler, schedule, planned tasks,
    eventbridge, timer, backup schedule, when does it run, airflow`,
  'customresourcedefinition.list': `
    custom resources, operators, api resources, kubectl api-resources, custom types, kubectl get crd, custom
    resource definitions, crds, cr definitions, extensions, operator resources, api extensions, kubectl explain,
    installed operators, custom resource types, servicemonitor, podmonitor, prometheusrule, virtualservice, destinationrule, clusterissuer, appproject, kustomization, helmrelease, sealedsecret, externalsecret, psp, podsecuritypolicy, csr, certificatesigningrequest`,
  'daemonset.list': `
    kubectl get ds, agents, daemons, agent on every node, node agents, per node, daemon`,
  'deployment.list': `
    apps, applications, workloads, my apps, kubectl get deploy, kubectl get deployments, app list, all apps,
    application list, my services, microservices, workload, stateless apps, ecs services, web apps, oc get dc,
    deploymentconfig, dc, deploys, what do we run, our software, programs, backends, frontends`,
  'endpointslice.list': `
    endpoints, ep, get endpoints, kubectl get ep, kubectl get endpoints, service endpoints, backends of service,
    backend ips, pod ips, ip addresses, ip address`,
  'event.list': `
    what happened yesterday, timeline, history, kubernetes events, what happened, recent events, warnings,
    kubectl get events, kubectl get ev, get ev -w, oc get events, warning events, cluster events, event log,
    what just happened, what happened last night, what broke, what broke in the last hour, what is going on,
    news of cluster, incidents, incident, recent problems, system log, syslog, dmesg, log of cluster, failed
    scheduling, oom events, oomkilled events, pull errors, error events, latest events, backoff, what went
    wrong, activity of cluster`,
  'gateway.list': `
    api gateway, gateway api, istio gateway, envoy gateway, gateways`,
  'gatewayclass.list': `
    gateway controller, gateway class`,
  'grpcroute.list': `
    grpc routes, grpc`,
  'hpa.list': `
    autoscaling, autoscaler, auto scale, hpa, kubectl get hpa, horizontal pod autoscalers, autoscale, auto
    scaling, auto-scaling, scaling rules, scaling policy, scaling policies, asg, auto scaling group, elastic
    scaling, kubectl autoscale, vpa, vertical pod autoscaler, keda, scaledobject, karpenter`,
  'httproute.list': `
    gateway api routes, http route, http routes, gateway routes, openshift routes, gateway api, url routing`,
  'ingress.list': `
    ingress host, domain, domains, url of app, hostname, public url, https, website address, dns, routes,
    kubectl get ing, get ingress, web addresses, web address, urls, url, public urls, url of my app, url of my
    api, whats the url, what is the url, website, site, web site, how do users reach us, openshift routes,
    openshift route, oc get routes, virtual host, virtual hosts, reverse proxy, nginx, traefik, http routing,
    external url, custom domain, domain name, domain names, ssl, https certificate, api url, endpoint url, front
    door, entrypoint, load balancer rules`,
  'ingressclass.list': `
    ingress controller, ingress controllers, nginx class, traefik class`,
  'job.list': `
    batch jobs, tasks, one off tasks, kubectl get jobs, batch, one-off jobs, batch job, completed jobs,
    migrations, background jobs, task list, run history, aws batch, delete finished jobs, clean up jobs, old jobs, finished jobs, completed jobs`,
  'lease.list': `
    leader election, locks, leader, who is leader, heartbeats`,
  'limitrange.list': `
    default limits, default requests, default resources, container defaults, limit ranges, max cpu per pod`,
  'mutatingwebhookconfiguration.list': `
    mutating webhooks, admission webhooks, sidecar injector, injection, mutation`,
  'namespace.list': `
    namespace default, default namespace, kubens, projects, environments, new namespace, create namespace, add namespace, kubectl create ns, kubectl get ns,
    kubectl get namespaces, kubectl create namespace, oc get projects, oc project, oc new-project, openshift
    project, rancher project, list namespaces, my namespaces, teams namespaces, tenant spaces, spaces, add a
    namespace, folders`,
  'networkpolicy.list': `
    firewall rules, network rules, block traffic, isolation, kubectl get netpol, network policy, network
    policies, security group, security groups, segmentation, network segmentation, microsegmentation, egress
    rules, ingress rules, allow traffic, deny traffic, who can talk to whom, zero trust, calico, cilium
    policies, network isolation, firewall, nacl, iptables`,
  'node.list': `
    servers, machines, hosts, kubectl top nodes, cpu usage, free memory, capacity, vm, workers, disk pressure,
    node, nodes, kubectl get nodes, kubectl top node, top nodes, kubectl describe node, machine, ec2, ec2
    instances, instances, vms, virtual machines, compute, worker nodes, node pool, nodepool, node pools, node
    groups, nodegroup, hardware, kubelet, node not ready, not ready, node down, memory pressure, cpu of nodes,
    droplets, compute engine, bare metal, gpu, gpus, taints, kernel version, kubernetes version of nodes, who
    runs on which machine, pods per node, pods by node, cluster nodes count, number of nodes, node count, nodes count, how many machines`,
  'objects.list': `
    kubectl get, any resource, other kinds, custom resources, get all, kubectl get all, kubectl api-resources,
    all resources, resource types, any kind, any object, anything else, custom object, certificates
    cert-manager, argo applications, everything in namespace, list any, crs`,
  'persistentvolume.list': `
    volumes, disks, storage, kubectl get pv, hard drives, ebs volumes, physical volumes, volume list, nfs,
    orphaned volumes, unused volumes, docker volume ls`,
  'persistentvolumeclaim.list': `
    disks, storage, disk space, volume claims, claims, volumes, kubectl get pvc, disk claims, hard drive, hard
    disk, hdd, ebs, ebs volumes, storage usage, which volumes are full, volume usage, storage claims, my disks,
    data volumes, file storage, how much storage, mounted volumes, mounts, mounted disks`,
  'pod.list': `
    stuck pods, what is running, running, instances, docker ps, containers, kubectl get po, get pods, running
    containers, processes, ps, kubectl top pods, memory usage, port forward, port-forward, crashing pods,
    restarts, po, pods, kubectl get pods, kubectl get pods -A, get all pods, all pods, oc get pods, docker ps
    -a, docker container ls, podman ps, crictl ps, ecs tasks, running apps, running pods, running things, dead
    pods, evicted pods, pods with errors, crashed pods, crashloop, crash loop, crashloopbackoff, oomkilled, oom
    killed, imagepullbackoff, image pull error, pods not starting, pods restarting, restarting pods, what is
    crashing, which containers, top pods, htop, top, cpu hogs, memory hogs, who eats memory, replicas of this,
    pods of this, port-fwd, pf, kubectl port-forward, dyno, dynos, fargate tasks, which pods keep restarting, pods that keep restarting, pods keep restarting, which pods restart, which node is this on, which node does this run on, where does it run, where is it running, where does this run, restart count, number of restarts, how many restarts, ip address of pod, show ip address of pod, pod ip, pod ips, number of running pods, pod count`,
  'poddisruptionbudget.list': `
    kubectl get pdb, disruption budgets, availability budget, min available, maxunavailable, eviction limits,
    budgets, drain blocked`,
  'priorityclass.list': `
    pod priority, priorities, preemption, priority`,
  'referencegrant.list': `
    cross namespace references, reference grants`,
  'release.list': `
    releases, helm list, helm ls, charts, packages, installed charts, helm install, helm upgrade, helm, helm
    list -A, helm chart, installed helm charts, helm status, helm releases, app versions, what is installed,
    installed apps, installed software, chart version, helm values, values.yaml, values file, marketplace, app
    catalog, catalog, argo apps, argocd, flux, gitops`,
  'replicaset.list': `
    kubectl get rs, replica sets, old revisions, replication controller, rc`,
  'resourcequota.list': `
    namespace limits, quota, kubectl get quota, namespace quota, quotas, namespace budget, resource limits of
    namespace, project quota, project limits, quota exceeded, limits per team, cpu quota`,
  'role.list': `
    kubernetes permissions, rbac rules, kubectl get roles, kubernetes roles, kubernetes rbac, namespace roles,
    iam roles, cluster rbac`,
  'rolebinding.list': `
    kubectl get rolebindings, who has which role, role assignments, assigned roles, bindings`,
  'scaledobject.list': `
    keda, keda scaler, keda scalers, event driven autoscaling, event autoscaling, scaled objects, queue scaling,
    kafka scaler, scale on queue, scaled object`,
  'secret.list': `
    see passwords, api keys in cluster, tokens in cluster, database password, passwords, credentials,
    certificates, tls certificate, certs, docker registry secret, pull secret, decode secret, base64, kubectl
    get secrets, see the passwords, show password, db password, api keys of app, secrets manager, key vault,
    vault, ssl certificates, tls certs, private keys, ssh keys, dockerconfigjson, imagepullsecrets, sensitive
    data, credentials of database, secret values, reveal secret, decode base64, connection string, expired
    certificates, certificate expiry, check certificate, expiring certificate, expiring certificates, certificate expired`,
  'service.list': `
    port forward, port-forward, load balancer, loadbalancer, expose, external ip, cluster ip, ports, open in
    browser, dns name, kubectl get svc, svc, load balancers, load balancer ip, elb, alb, nlb, elastic load
    balancer, internal ip, external ips, node port, nodeport, clusterip, exposed ports, open ports, internal
    address, service discovery, endpoints of app, which port, expose app, expose to internet, public ip, kubectl
    expose, service mesh, headless, internal dns, endpoint not responding, not responding, service not reachable, connection refused, cannot connect, no endpoints`,
  'serviceaccount.list': `
    robot account, machine account, kubectl get sa, service accounts, iam for pods, irsa, workload identity, bot
    account, technical user, technical users, machine identity, pod identity, app identity`,
  'statefulset.list': `
    kubectl get sts, databases, database, stateful apps, stateful, petset, stateful workloads, dbs, statefulset volumes`,
  'storageclass.list': `
    disk types, storage types, kubectl get sc, storage classes, kind of storage, ssd, gp2, gp3, storage tiers,
    provisioner, csi`,
  'validatingwebhookconfiguration.list': `
    admission webhooks, admission controllers, validation webhooks, policy webhooks, kyverno, opa, gatekeeper,
    admission control, validators`,
  'volumeattachment.list': `
    attached disks, attached volumes, mounted volumes, stuck volume, multi attach`,
};
