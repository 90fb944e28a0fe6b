# syntax=docker/dockerfile:1

# The base of both stages, by its full version: the Node that the tests run on. `docs/runbook.md` says how to pin its digest.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# This stage compiles the site. Its packages and tools do not reach the image.
FROM $NODE_IMAGE AS build
WORKDIR /site
# Build as the user who runs the site: Node's compile cache belongs to one user.
RUN chown node:node /site
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
# No package runs a script of its own: none needs one.
RUN npm ci --ignore-scripts
COPY --chown=node:node . .
RUN npm run build
# The bill of materials of this release, which stays in its image.
RUN node build/packages/sbom.ts dist/sbom.cdx.json

# `docker run` without settings ends with exit code 1 and says which lines to type: PUBLIC_URL, and CONTENT_BASE_URL or CONTENT.
# The ops port listens on all interfaces for the probes of an orchestrator. Other machines get /metrics with OPS_TOKEN alone.
#
# The image: Node, the built site and the sample content. The bundle holds the production dependencies. sharp is native and is
# copied beside the bundle, which works because both stages are the same Debian.
FROM $NODE_IMAGE
ENV NODE_ENV=production \
    PORT=3000 \
    OPS_HOST=0.0.0.0 \
    DATA_DIR=/data \
    SHUTDOWN_DELAY_MS=4000
WORKDIR /site
# Node reads package.json to load the bundle as an ES module.
COPY --from=build /site/package.json ./
COPY --from=build /site/dist ./dist
COPY --from=build /site/content ./content
RUN mkdir /data && chown node:node /data
# The server writes only to this folder: run the container with `--read-only` and a volume here.
VOLUME /data
USER node
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9464) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process, so SIGTERM reaches it and it finishes open requests. It adds its flags by itself (`server/ops/process/memory.ts`).
CMD ["node", "dist/server/main.js"]
