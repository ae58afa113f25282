# docker build -t go-ownership . && docker run --rm -v "$PWD:/games" go-ownership score game.sgf
# docker run --rm --user "$(id -u)" -v "$PWD:/games" go-ownership show game.sgf -o board.png
# docker run --rm -p 8000:8000 go-ownership serve --host 0.0.0.0
FROM debian:12-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends python3 python3-venv make gnugo \
    && rm -rf /var/lib/apt/lists/*
# Any user may run it: everyone reads the program, and writes into the home that holds caches and settings.
ENV HOME=/home/go PIP_NO_CACHE_DIR=1
COPY . /opt/go-ownership
RUN mkdir -p $HOME \
    && make -C /opt/go-ownership demo \
    && /opt/go-ownership/.venv/bin/ownership warm-up \
    && chmod -R a+rX /opt/go-ownership \
    && chmod -R a+rwX $HOME
WORKDIR /games
ENTRYPOINT ["/opt/go-ownership/.venv/bin/ownership"]
CMD ["--help"]
