import type { Phrases } from './phrases.ts';

/** Phrases for actions on objects. */
export const objectsPhrases: Phrases = {
  'cronjob.resume': `
    start schedule again, enable cron, unsuspend cronjob, resume cron, turn on cron, reactivate schedule, enable
    schedule, unpause cron`,
  'cronjob.run': `
    run job now, run cron now, start cronjob, trigger cronjob, manual run, run now, start job manually, run the
    cron, create job from cronjob, kubectl create job --from, trigger now, run immediately, run backup now, kick
    off job, run once, execute now, fire cron, start the job, launch job`,
  'cronjob.suspend': `
    stop cronjob, disable cron, pause cronjob, stop schedule, suspend cron, disable schedule, stop scheduled
    job, pause schedule, turn off cron, stop cron, deactivate cron, halt schedule`,
  'deployment.pause': `
    freeze, stop rollout, halt deploy, hold rollout, pause rollout, kubectl rollout pause, freeze deploys,
    freeze rollout, freeze deployment, stop deploying, halt rollout, hold deploy, suspend rollout, pause deploy,
    stop the rollout, block rollout, abort rollout, cancel rollout, pause deployment`,
  'deployment.restart statefulset.restart daemonset.restart': `
    kubectl rollout restart, docker restart, redeploy, turn off and on, fresh pods, cycle pods, rollout restart,
    restart app, restart pods, restart all pods, restart service, restart this, rolling restart, bounce it,
    kick, kick it, cycle, recycle pods, reload app, reload config, pick up new config, restart everything, hard
    reset, reset, respawn, refresh pods, relaunch, service restart, systemctl restart, docker compose restart,
    start again, start over, fresh start, reboot app, restart gracefully, restart the application, oc rollout,
    renew pods, replace pods, redeploy same version`,
  'deployment.resume': `
    continue rollout, unpause, resume rollout, kubectl rollout resume, continue deploy, unfreeze, continue
    deployment, unfreeze deploys, resume deploy`,
  'deployment.rollback statefulset.rollback daemonset.rollback': `
    what changed, revisions, revision history, version history, history of versions, broken release, old
    version, restore version, go back, previous version, undo deploy, undo release, last good version, kubectl
    rollout undo, older version, rollout history, bad deploy, rollback to last version, rollout undo, revert
    deploy, revert release, revert to previous, previous release, undo last deploy, undo the last deploy, undo
    deployment, restore previous, back to yesterday, go back one version, last working version, emergency
    rollback, argo rollback, kubectl rollout history, deployment history, revision list, past versions,
    versions, deploy history, historical versions, last revision, what did we deploy, roll it back, take back
    the deploy, oc rollback, heroku releases, heroku rollback, back out, backout, downgrade, wrong version, wrong version deployed, wrong image deployed, deployed the wrong version, deployed by mistake, deployed the wrong image, wrong tag deployed, bad version, new version is broken, new version does not work, broken since the deploy`,
  'deployment.scale statefulset.scale custom.scale': `
    bigger, more copies, grow, more power, smaller, run more, downscale, upscale, horizontal scaling, handle
    more traffic, scale up, scale down, more replicas, more instances, fewer instances, scale to zero, number of
    pods, change replicas, add replicas, turn off, shut down, stop app, compose down, docker compose down, docker-compose down, docker stop, bring down,
    take down, heroku ps:scale, kubectl scale, kubectl scale --replicas,
    spin down, spin up, wind down, wake up, turn on, bring down, bring up, take down, start app, docker compose
    scale, docker service scale, scale out, scale in, increase replicas, decrease replicas, add pods, remove
    pods, add more pods, more pods, fewer pods, less pods, reduce replicas, add capacity, add instances, double
    replicas, set replicas, number of replicas, replica count, how many replicas, number of copies, stop
    everything, stop the app, shut it down, switch off, desired count, scale to 0, zero replicas, put to sleep,
    hibernate, number of instances, resize, turn off app, capacity up, start more copies, horizontal scale`,
  'deployment.setImage statefulset.setImage daemonset.setImage': `
    new version, bump version, change version, deploy new version, image tag, update image, kubectl set image,
    docker pull, change image, new image, push new image, push a new image, deploy image, docker tag, new tag,
    new release, ship new version, release new version, update version, upgrade version, upgrade app, change
    docker image, change container image, roll out new version, rollout new version, deploy latest, latest
    image, patch version, container version, which version is running, deploy build`,
  'deployment.setMemory statefulset.setMemory daemonset.setMemory': `
    more memory, more ram, raise memory, increase memory, give it more memory, memory limit, memory request, out
    of memory, oom, oomkilled, oomkill, mem limit, kubectl set resources, change memory, less memory, heap size,
    java heap, right size, vertical scaling, vpa, vertical pod autoscaler`,
  'hpa.bounds': `
    min replicas, max replicas, autoscaling limits, change autoscaler, min max replicas, minimum replicas,
    maximum replicas, hpa min, hpa max, change min max, autoscaling range, autoscaler limits, raise max
    replicas, scaling limits, maxreplicas, minreplicas`,
  'ingressclass.setDefault': `
    default ingress class`,
  'job.rerun': `
    retry job, run job again, run job now, rerun job, restart job, repeat job, run the job again, retry failed
    job, redo job, run migration again, rerun migration, start job again, run it again, run this again, do it again, once more`,
  'job.resume': `
    continue job, resume job, unpause job`,
  'job.suspend': `
    stop job, pause job, suspend job, halt job`,
  'node.cordon': `
    no new pods, taint node, take node out, maintenance mode, cordon, kubectl cordon, mark unschedulable, stop
    scheduling, disable node, no new pods on node, block scheduling, take node offline, quarantine node, disable
    scheduling, close node`,
  'node.drain': `
    empty node, remove node, node maintenance, evict all, kubectl drain, drain node, evacuate node, evacuate
    this node, evict all pods, empty the node, move everything off node, take node down, node upgrade, prepare
    maintenance, clear node, decommission node, node replacement, offload node`,
  'node.uncordon': `
    kubectl uncordon, mark schedulable, enable node, enable scheduling, put node back, bring node back, node
    back in service, reopen node, allow scheduling`,
  'object.annotations': `
    kubectl annotate, annotation, annotations, set annotation, add annotation, remove annotation, edit
    annotations, note on this, annotate this, comment`,
  'object.ask': `
    ask about this, explain this, ask ai about this, what is this, help me with this, let ai look at this, ai
    explain, summarize this, what does this do`,
  'object.compare': `
    what changed, see changes, diff, kubectl diff, what is different, what is the difference, difference between
    two, compare with another, compare versions, compare two, compare yaml, drift, compare environments, compare
    to staging, side by side diff, spot the difference, compare deployments, compare this with`,
  'object.copyKubectl': `
    kubectl command, as kubectl, show command, kubectl for this, copy command, as command line, command for
    terminal, show kubectl, kubectl equivalent`,
  'object.copyLink': `
    link to this, share this, send this to coworker, send link, deep link, url of this, share object, permalink
    to this, paste in slack, send this, share with colleague`,
  'object.copyName': `
    copy the name, name to clipboard`,
  'object.delete': `
    kubectl delete, docker rm, get rid of, tear down, delete this, remove this, kill this, throw away, bin,
    nuke, wipe, terminate, discard, scrap, docker rm -f, docker kill, docker stop, podman rm, oc delete, rm -rf,
    delete resource, drop it, clean up, cleanup, dispose, unprovision, decommission, trash, kill it, delete the
    app, uninstall app, erase`,
  'object.edit': `
    kubectl edit, change manifest, change environment variable, set env, change limits, memory limit, cpu limit,
    resource limits, kubectl patch, change env variable, edit env, add environment variable, modify, change
    yaml, edit yaml, edit manifest, edit spec, update yaml, change config, change settings of this, kubectl
    replace, oc edit, live edit, change cpu, change port, change the configuration, alter, tweak, set resources,
    kubectl set env, change probe, edit json, vi, vim, nano`,
  'object.follow': `
    notify me, alert me, watch this, tell me when it breaks, subscribe, pin, star, tell me when something
    happens, keep an eye on this, watch this one, star this, favourite this, favorite, follow this, unfollow
    this, get notified about this, mute, mute this, alert on this, monitor this`,
  'object.graph': `
    connected to, what is connected, related objects, map of this, dependencies of this, dependencies, what
    depends on this, what uses this, owner, graph of this, show dependencies, relationships, who uses this,
    linked objects, show relations, owner references, parents and children, used by, which service points here,
    pods of this, tree, kubectl tree, impact, blast radius`,
  'object.labels': `
    kubectl label, labels, add tag, tags, set label, add label, remove label, change labels, edit labels, tag
    this, label this`,
  'object.logs': `
    docker logs, stern, container output, see logs, live logs, stream logs, log file, see the logs, kubectl
    logs, logs -f, log output, application log, app log, console output, stdout, print output, error log, error
    messages, stack trace, stacktrace, exception, what does it print, what is it printing, trace, journalctl,
    kubetail, kail, loki, follow log, download logs, read log, cloudwatch logs, log viewer, output of app, output of program, program output, show output, show output of program, output of the process, what the program prints, what the program says, what did it say`,
  'object.previousLogs': `
    crash logs, logs before restart, docker logs previous, logs -p, logs --previous, kubectl logs previous, log
    of crashed container, logs before crash, previous container logs, last run, logs from last time, old logs,
    logs of dead container`,
  'object.tellWhenReady': `
    wait until ready, rollout status, notify when done, kubectl wait, kubectl rollout status, tell me when done,
    let me know when ready, notify me when finished, ping me when done, is it finished, rollout progress, is the
    rollout done, wait for rollout, deployment status, deploy progress, watch rollout, follow rollout`,
  'object.why': `
    what is wrong with this, is it healthy, crash reason, not working, does not start, wont start, help,
    troubleshoot, debug, root cause, why does it crash, why is it failing, what is wrong, why pending, why is
    this red, why does this fail, why unhealthy, what happened to it, what is the problem, why not ready, why is
    it restarting, keeps restarting, keeps crashing, crash looping, crashloopbackoff, oomkilled,
    imagepullbackoff, errimagepull, pod pending, root cause analysis, rca, find the problem, explain failure,
    fix this, is something wrong, is it ok, does it work, is it down, why down, why is it slow, stuck,
    unhealthy, health of this, diagnosis, systemctl status, status of this, check status`,
  'object.yaml': `
    print env, see env, printenv, download manifest, full object, raw json, environment variables, env vars, see
    manifest, show json, get yaml, spec, kubectl get -o yaml, -o yaml, oyaml, -o json, json of this, show spec,
    show configuration, show definition, definition of this, raw manifest, see yaml, environment variables of
    this, read manifest, source of this, export this, copy yaml, print yaml, kubectl get yaml, helm get
    manifest, resource definition, show code`,
  'objects.open': `
    find an object, any object by name`,
  'persistentvolume.reclaim': `
    reclaim policy, retain volume, keep volume, persistent volume reclaim, retain or delete`,
  'persistentvolumeclaim.expand': `
    bigger disk, resize volume, more storage, grow volume, disk full, resize pvc, grow disk, enlarge disk,
    increase disk, increase volume, volume full, out of disk, running out of disk, extend volume, bigger volume,
    more space, add storage, resize disk, expand volume, no space left on device, expand disk`,
  'pod.attach': `
    docker attach, attach to process, kubectl attach, attach to container`,
  'pod.evict': `
    move pod, reschedule, move to another node, evict pod, kick pod off node, move to other node, reschedule
    pod, drain pod, move somewhere else`,
  'pod.kill': `
    stuck terminating, grace period 0, force kill, force delete, delete --force, kill -9, sigkill, grace period,
    stuck pod, terminating forever, pod stuck in terminating, force remove, kill immediately`,
  'pod.shell': `
    copy file from pod, run command, kubectl cp, inside the container, command prompt, root shell, ssh into pod,
    get into container, open terminal, docker exec, login to pod, command line in pod, enter container, connect
    to pod, get a shell, open a shell, kubectl exec, exec -it, oc rsh, rsh, interactive shell, bash into, sh
    into, jump into container, hop into, step into, inside of pod, look inside container, run a command inside,
    command line, cmd, powershell, remote shell, connect to container, psql into pod, log into container, enter
    pod, debug container, kubectl debug, docker exec -it bash, ecs exec, get inside, zsh, nslookup, ping, curl, wget, dig, telnet, traceroute, run a command`,
  'release.history': `
    helm history, chart history, release revisions, helm revisions, history of chart`,
  'release.rollback': `
    helm rollback, rollback chart, undo helm upgrade, previous chart version, helm revert`,
  'release.uninstall': `
    helm uninstall, helm delete, remove chart, delete chart, remove release, helm del, uninstall chart, helm
    purge, uninstall app`,
  'resource.create': `
    new namespace, create namespace, kubectl apply, kubectl create, upload yaml, deploy app, new deployment, new
    secret, new configmap, docker run, apply yaml, paste yaml, import yaml, create pod, new pod, install app,
    kubectl create -f, kubectl apply -f, kubectl create deployment, kubectl run, kubectl expose, oc new-app, oc
    create, oc apply, new resource, add resource, deploy something, deploy new app, new app, new application,
    add app, start new service, launch container, start a container, run a container, docker compose up,
    docker-compose up, compose up, from yaml, from file, upload file, upload manifest, import manifest, paste
    manifest, from template, template, templates, drag and drop, add yaml, run image, create from template, ship
    it, helm create, clone this, clone deployment, duplicate deployment, copy deployment, new object, spin up
    new, provision, add configmap, add secret, add deployment, add ingress, new ingress, new service, new
    cronjob, new pvc, create something, start something new, kubectl create secret, kubectl create configmap,
    kubectl create namespace, install something`,
  'scaledobject.bounds': `
    keda min max, keda replicas`,
  'scaledobject.pause': `
    pause keda, pause autoscaling, stop autoscaling, disable autoscaling, turn off autoscaling`,
  'scaledobject.resume': `
    resume autoscaling, resume keda, enable autoscaling`,
  'storageclass.setDefault': `
    default storage class, make default storage`,
  'template.deployment.basic': `
    kubectl create deployment, docker run, deploy container, deploy an image, hello world, nginx example, sample
    app, example deployment, new deployment`,
  'template.ingress.basic': `
    kubectl create ingress, example ingress, publish app, expose website, add domain, new domain`,
  'template.ingress.withTls': `
    https ingress, add certificate, tls ingress, enable https, ssl ingress`,
  'template.service.basic': `
    kubectl expose, kubectl create service, example service, expose deployment`,
  'template.service.loadbalancer': `
    create load balancer, expose to internet, new load balancer`,
  'template.service.nodeport': `
    open a node port, new node port`,
};
