# techne with what a team needs: the server, the workers and their tools. Built from the repository.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund && npm run build && npm pack --ignore-scripts --pack-destination /packed

FROM node:22-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /packed/techne-*.tgz /tmp/techne.tgz
RUN npm install --global --no-audit --no-fund /tmp/techne.tgz pg@8.23.1 @dbos-inc/dbos-sdk@5.3.0 && rm /tmp/techne.tgz
# Every container has the same folders: a run goes on in the workspace that it was started in.
# /state is for a volume with tokens, which its user must be able to write.
RUN mkdir /workspace /state && chown node /workspace /state
USER node
WORKDIR /workspace
ENTRYPOINT ["techne"]
CMD ["--help"]
