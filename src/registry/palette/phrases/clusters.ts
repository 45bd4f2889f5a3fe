import type { Phrases } from './phrases.ts';

/** Phrases for clusters, their pages and notifications. */
export const clustersPhrases: Phrases = {
  'cluster.allNamespaces': `
    all namespaces, every namespace, -A, clear namespace, --all-namespaces, show every namespace, remove
    namespace filter, whole cluster, across namespaces, all projects, show everything in cluster`,
  'cluster.chat': `
    ask ai, chatgpt, copilot, help me, ask a question, chatbot, talk to ai, chat with ai, ask chatgpt, ask
    claude, talk to bot, ask the assistant, ai help, ai assistant, ai, machine help, ask something, question
    about cluster, gpt, claude, gemini, explain cluster, chat bot, artificial intelligence, virtual assistant,
    k8sgpt, holmes`,
  'cluster.chooseNamespace': `
    change namespace, switch namespace, other namespace, set namespace, filter by namespace, kubens, kubectl ns,
    set-context --current --namespace, change the namespace, oc project, switch project, change project, pick
    namespace, select namespace, use namespace, only one namespace, go to namespace, namespace picker, show only
    namespace, -n`,
  'cluster.details': `
    cluster explorer, cluster overview, memory left, free space, capacity left, free cpu, how full, utilization,
    stats, statistics, cpu usage, memory usage, cluster health, monitoring, metrics, resource usage, cluster
    status, cluster info, kubectl cluster-info, kubectl top, grafana, charts, is everything ok, start page of
    cluster, explore cluster, health check, healthcheck, status page, uptime, cluster dashboard, summary of
    cluster, cluster summary, big picture, is everything fine, is prod ok, anything broken, anything on fire,
    what is on fire, how are we doing, how is it going, what is broken, current state, overall status, summary,
    cpu graph, memory graph, load, cluster load, cluster usage, resource consumption, prometheus, datadog,
    charts of cluster, top, kubectl version, kubernetes version, cluster version, k8s version, component status,
    componentstatuses, why is it so slow, performance, slow, bottleneck, utilisation, free memory, how many
    pods, how much cpu, red things, red lights, status overview, outage`,
  'cluster.follow': `
    alert me, get alerts, email alerts, notify me, watch cluster, subscribe to alerts, follow cluster, cluster
    alerts, alert when cluster is down, monitor cluster, notify when something breaks, tell me when cluster
    fails, notify on failure, email me when something fails, mail me when something breaks, wake me up, on call,
    oncall, alert when something fails`,
  'cluster.followNamespace': `
    follow namespace, namespace alerts, notify about namespace, watch namespace, alerts for my namespace`,
  'cluster.globalSettings': `
    cluster settings for all, production safe, read-only mode, make read only, protect cluster, read only
    cluster, production protection, lock cluster, forbid shell, record shells, cluster rules, cluster policy,
    protected cluster, protect production, protect prod, prevent changes, block changes, change freeze, code
    freeze, freeze cluster, make cluster read-only, no changes allowed, disable exec, disable shell, forbid
    exec, record terminals, turn on recording, allow shell, settings of cluster, cluster options, safety of
    production, guard rails, guardrails, cluster configuration`,
  'cluster.graph': `
    whats connected, service map, architecture, dependencies, diagram, how things connect, visualise, visualize,
    big picture, picture of everything, picture of how everything hangs together, draw the cluster, network
    diagram, architecture diagram, system diagram, service mesh map, mind map, landscape, what talks to what,
    visual, visualization, visualisation, bird's eye view, how everything fits together, how it all hangs
    together, connections, relationship map, picture, kiali, topology view, overview map, schema, whole picture`,
  'cluster.switch': `
    config use-context, get contexts, switch to staging, go to other cluster, change cluster, other cluster,
    switch context, use context, change context, go to production, switch clusters, jump to cluster, swap
    cluster, swap to, swap to staging, kubectx, ctx, kubectl config use-context, kubectl config get-contexts,
    use-context, kubectl ctx, go to staging, go to prod, switch to prod, my other cluster, next cluster, another
    cluster, choose cluster, select cluster, pick cluster, cluster picker, switch environment, change
    environment, oc login, connect to other cluster, move to other cluster`,
  'cluster.toggleExcluded': `
    show system namespaces, hide kube-system, hidden namespaces, show hidden, show kube-system`,
  'cluster.userSettings': `
    hide system namespaces, hide namespaces, default namespace, my cluster settings, exclude namespaces, ignore
    namespaces, hide system pods, hide kube-system, settings for this cluster`,
  'clusters.list': `
    existing cluster, add kubernetes, new kubernetes, cluster list, eks, gke, aks, my clusters, upload
    kubeconfig, import cluster, register cluster, connect kubernetes, kubeconfig, join cluster, remove cluster,
    delete cluster, rename cluster, all clusters, attach cluster, attach a cluster, add a cluster, how do i
    remove a cluster, detach cluster, disconnect cluster, unregister cluster, delete a cluster, edit cluster,
    cluster management, manage clusters, connect my cluster, connect cluster, connect my gke, connect eks,
    connect aks, enroll cluster, onboard cluster, link cluster, hook up cluster, new cluster, add prod, import
    kubeconfig, upload kube config, kube config, kubectl config get-contexts, kubectl config view, list
    clusters, list of clusters, every cluster, our clusters, which clusters, clusters page, aws cluster, google
    cluster, azure cluster, k3s, minikube, kind cluster, rancher, rancher cluster, openshift cluster, rename a
    cluster, change kubeconfig, credentials of cluster, cluster credentials, rotate kubeconfig, argocd cluster
    add, lens add cluster, is a cluster down, unreachable cluster`,
  home: `
    recent, dashboard of all clusters, overview of clusters, start, start page, landing page, main page, front
    page, needs attention, fleet, all problems, homepage, home page, main menu, start screen, first page, main
    screen, all my clusters at a glance, multi cluster overview, overall health, what needs my attention, global
    overview, recently opened, my work, todo, what should i look at, go home, back to start`,
  'notifications.clearAll': `
    clear notifications, delete notifications, dismiss all, clear alerts`,
  'notifications.readAll': `
    mark as read, mark all read, read all`,
  'notifications.show': `
    alerting, what did i miss, alerts, messages, alarms, whats new, inbox, my alerts, bell, unread, recent
    alerts, what happened to things i follow, news, notification center, notification centre, pager`,
};
