{{- define "ledgerline.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "ledgerline.labels" -}}
app.kubernetes.io/name: ledgerline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What selects the pods of a part: (dict "root" $ "part" "api"). */}}
{{- define "ledgerline.selector" -}}
app.kubernetes.io/name: ledgerline
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "ledgerline.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "ledgerline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "ledgerline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Finds the port of metrics for a Prometheus that discovers pods by annotations. */}}
{{- define "ledgerline.scrape" -}}
prometheus.io/scrape: 'true'
prometheus.io/port: {{ .Values.metrics.port | quote }}
{{- end -}}

{{/* The variables of every program, and the files of the secrets that this one gets: (dict "root" $ "secrets" (list "database_url")). */}}
{{- define "ledgerline.environment" -}}
- name: TEMPORAL_ADDRESS
  value: {{ .root.Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .root.Values.temporal.namespace | quote }}
{{- if .metrics }}
- name: METRICS_PORT
  value: {{ .root.Values.metrics.port | quote }}
- name: METRICS_HOST
  value: 0.0.0.0
{{- end }}
{{- if .root.Values.model.enabled }}
- name: EMBEDDED_URL
  value: http://{{ include "ledgerline.name" .root }}-model:4100/v1
{{- end }}
{{- range $name, $value := .root.Values.environment }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- range .secrets }}
- name: {{ upper . }}_FILE
  value: /run/secrets/{{ . }}
{{- end }}
{{- if .vendors }}
{{- range $name, $file := .root.Values.vendorKeys }}
- name: {{ $name }}_FILE
  value: /run/secrets/{{ $file }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The volume of these secrets. The secret has each of them, empty where it is optional: a missing one keeps the pod from starting. */}}
{{- define "ledgerline.secretVolume" -}}
name: secrets
projected:
  defaultMode: 0440
  sources:
    - secret:
        name: {{ .root.Values.existingSecret }}
        items:
          {{- range .secrets }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
          {{- if .vendors }}
          {{- range .root.Values.vendorKeys }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
          {{- end }}
{{- end -}}

{{/* A job that runs once for each release: (dict "root" $ "part" "migrate" "command" (list ...) "secrets" (list ...) "hooks" "..." "weight" "0"). */}}
{{- define "ledgerline.job" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "ledgerline.name" .root }}-{{ .part }}
  labels:
    {{- include "ledgerline.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
  annotations:
    helm.sh/hook: {{ .hooks }}
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 6
  template:
    metadata:
      labels:
        {{- include "ledgerline.selector" . | nindent 8 }}
    spec:
      restartPolicy: OnFailure
      automountServiceAccountToken: false
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext: {{- include "ledgerline.podSecurity" .root | nindent 8 }}
      containers:
        - name: {{ .part }}
          image: {{ include "ledgerline.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: {{- toYaml .command | nindent 12 }}
          env:
            {{- include "ledgerline.environment" . | nindent 12 }}
            {{- with .env }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          securityContext: {{- include "ledgerline.containerSecurity" .root | nindent 12 }}
          resources:
            requests: { cpu: 100m, memory: 256Mi }
            limits: { memory: 1Gi }
          volumeMounts:
            - { name: secrets, mountPath: /run/secrets, readOnly: true }
            - { name: temporary, mountPath: /tmp }
      volumes:
        - {{- include "ledgerline.secretVolume" . | nindent 10 }}
        - { name: temporary, emptyDir: {} }
{{- end -}}
