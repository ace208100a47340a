{{/* A job that runs once for each release: (dict "root" $ "part" "migrate" "command" (list ...) "secrets" (list ...) "hooks" "..." "weight" "0"). */}}
{{- define "ledgerline.job" -}}
{{- $part := merge (dict "values" .root.Values.jobs "account" .root.Values.jobs.serviceAccountName) . -}}
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
  backoffLimit: {{ .tries | default 6 }}
  template:
    metadata: {{- include "ledgerline.podMetadata" $part | nindent 6 }}
    spec:
      restartPolicy: Never
      {{- include "ledgerline.podSettings" $part | nindent 6 }}
      containers:
        - name: {{ .part }}
          image: {{ include "ledgerline.image" $part }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: {{- toYaml .command | nindent 12 }}
          env: {{- include "ledgerline.environment" $part | nindent 12 }}
          {{- with .root.Values.jobs.envFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          securityContext: {{- include "ledgerline.containerSecurity" .root | nindent 12 }}
          resources: {{- toYaml .root.Values.jobs.resources | nindent 12 }}
          volumeMounts: {{- include "ledgerline.volumeMounts" $part | trim | nindent 12 }}
      volumes: {{- include "ledgerline.volumes" $part | trim | nindent 8 }}
{{- end -}}
