# syntax=docker/dockerfile:1

# This stage compiles the site. Its packages and tools do not reach the image.
FROM node:24-bookworm-slim AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# The image: Node, the built site and the sample content. The bundle holds the production dependencies. sharp is native and is
# copied beside the bundle, which works because both stages are the same Debian.
FROM node:24-bookworm-slim
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
# Node is the first process, so SIGTERM reaches it and it finishes open requests. build/node-flags.ts explains the flags.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--no-memory-reducer", "dist/server/main.js"]
