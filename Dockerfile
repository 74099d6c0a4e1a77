# An image with the program, from this source tree: docker build -t gossamer .
#
# `./gossamer release` makes a smaller one without Docker.
FROM debian:12-slim AS build
COPY . /gossamer
RUN /gossamer/gossamer package

FROM debian:12-slim
COPY --from=build /gossamer/build/package/gossamer_*.deb /tmp/
RUN apt-get update \
 && apt-get install -y --no-install-recommends /tmp/gossamer_*.deb \
 && rm -rf /var/lib/apt/lists/* /tmp/*.deb \
 && useradd --create-home crawler
USER crawler
WORKDIR /home/crawler
ENTRYPOINT ["gossamer"]
CMD ["help"]
