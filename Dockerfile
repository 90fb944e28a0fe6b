# syntax=docker/dockerfile:1

# Everything that is needed to compile the site stays behind in this stage.
FROM node:24-bookworm-slim AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

# The image: the built site with its production dependencies (in the bundle, and sharp beside it: both stages are the same
# Debian), the sample content, and Node.
FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    PORT=3000 \
    OPS_HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /site
# package.json says that the bundle is an ES module.
COPY --from=build /site/package.json ./
COPY --from=build /site/dist ./dist
COPY --from=build /site/content ./content
RUN mkdir /data && chown node:node /data
# The only place that is written to: run with `--read-only` and a volume here.
VOLUME /data
USER node
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9464) + '/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Plain node as the first process: SIGTERM reaches it, and it drains. What the flags are for: build/node-flags.ts.
CMD ["node", "--min-semi-space-size=8", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "--no-memory-reducer", "dist/server/main.js"]
