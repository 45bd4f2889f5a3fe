{{- define "wheelhouse.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "wheelhouse.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "wheelhouse.labels" -}}
{{ include "wheelhouse.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "wheelhouse.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "wheelhouse.host" -}}
{{- (urlParse .Values.url).host | splitList ":" | first -}}
{{- end }}

{{/* Whether servers read clusters for each other: there is one alone with an embedded database. */}}
{{- define "wheelhouse.hasPeers" -}}
{{- if and .Values.peers.enabled (not .Values.embedded.enabled) }}true{{ end }}
{{- end }}

{{/* The variables that the chart sets by itself. */}}
{{- define "wheelhouse.ownEnv" -}}
- name: HOST
  value: '0.0.0.0'
- name: PORT
  value: '8080'
- name: WHEELHOUSE_URL
  value: {{ .Values.url | quote }}
- name: WHEELHOUSE_DATA
  value: /data
{{- if not .Values.playground }}
- name: WHEELHOUSE_PLAYGROUND
  value: 'off'
{{- end }}
{{- if not .Values.embedded.enabled }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ .Values.database.existingSecret }}
      key: {{ .Values.database.key }}
{{- end }}
{{- with .Values.secretKey }}
{{- if .existingSecret }}
- name: WHEELHOUSE_SECRET_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
{{- end }}
{{- end }}
{{- with .Values.metrics }}
{{- if .existingSecret }}
- name: WHEELHOUSE_METRICS_TOKEN
  valueFrom:
    secretKeyRef:
      name: {{ .existingSecret }}
      key: {{ .key }}
{{- end }}
{{- end }}
{{- if include "wheelhouse.hasPeers" . }}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: WHEELHOUSE_PEER_ADDRESS
  value: '$(POD_IP):{{ .Values.peers.port }}'
{{- end }}
{{- with .Values.trustedProxies }}
- name: WHEELHOUSE_TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
{{- if .Values.ownCluster.enabled }}
- name: WHEELHOUSE_KUBECONFIG
  value: /etc/wheelhouse/kubeconfig
{{- end }}
{{- end }}

{{/* What no schema says in a sentence. */}}
{{- define "wheelhouse.check" -}}
{{- if not .Values.url }}{{ fail "Set url to the public origin of the console, for example https://console.example.org." }}{{ end }}
{{- if not .Values.embedded.enabled }}
{{- if not .Values.database.existingSecret }}{{ fail "Name the Secret that holds DATABASE_URL in database.existingSecret, or set embedded.enabled to try one server with a database of its own." }}{{ end }}
{{- if not .Values.secretKey.existingSecret }}{{ fail "Name the Secret that holds WHEELHOUSE_SECRET_KEY in secretKey.existingSecret." }}{{ end }}
{{- end }}
{{- if and (or .Values.metrics.serviceMonitor.enabled .Values.metrics.rules.enabled) (not .Values.metrics.existingSecret) }}{{ fail "Name the Secret that holds the bearer token for /metrics in metrics.existingSecret: a ServiceMonitor and rules need it." }}{{ end }}
{{- if and .Values.playground (not .Values.embedded.enabled) }}{{ fail "The playground runs on an embedded database only: leave playground out, or set embedded.enabled." }}{{ end }}
{{- /* Without a cluster, as under helm template, nothing is found and the version is Helm's own guess. */}}
{{- if and (lookup "v1" "ServiceAccount" .Release.Namespace "default") (semverCompare "<1.30.0-0" .Capabilities.KubeVersion.Version) }}{{ fail (printf "This cluster is Kubernetes %s. The chart needs 1.30 or later: the kubelet makes the pause before a pod stops." .Capabilities.KubeVersion.Version) }}{{ end }}
{{- $given := list }}
{{- range include "wheelhouse.ownEnv" . | fromYamlArray }}{{ $given = append $given .name }}{{ end }}
{{- range $name, $_ := .Values.env }}
{{- if has $name $given }}{{ fail (printf "Remove env.%s: the chart sets this variable from its other values." $name) }}{{ end }}
{{- $given = append $given $name }}
{{- end }}
{{- range .Values.extraEnv }}
{{- if has .name $given }}{{ fail (printf "Remove %s from extraEnv: env or another value of the chart sets this variable." .name) }}{{ end }}
{{- $given = append $given .name }}
{{- end }}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) }}{{ fail "Name the Gateway in httpRoute.parentRefs." }}{{ end }}
{{- end }}
