// Code generated from programs/bytes.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var bytesModels = []Model{
	{Names: "od god", Opts: "-A,--address-radix=_ -N,--read-bytes=_ -j,--skip-bytes=_ -t,--format=_ -S,--strings?=_ -w,--width?=_ --endian=_", Args: "r*"},
	{Names: "hexdump hd", Opts: "-e,--format=_ -f,--format-file=r -n,--length=_ -s,--skip=_ -L,--color?=_", Args: "r*"},
	{Names: "xxhash xxhsum", Args: "r*"},
	{Names: "strings gstrings", Opts: "-n,--bytes=_ -t,--radix=_ -e,--encoding=_ -T,--target=_ -s,--output-separator=_ -U,--unicode=_", Args: "r*"},
	{Names: "cmp", Opts: "-i,--ignore-initial=_ -n,--bytes=_", Do: doDiff},
	{Names: "base64 gbase64", Opts: "-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage,--input=r -o,--output=w -b,--break=_", Args: "r", Do: doBase64},
	{Names: "base32 gbase32 basenc gbasenc", Opts: "-d,-D,--decode -w,--wrap=_", Args: "r", Do: doBase64},
	{Names: "xxd", Opts: "-r,-revert -p,-ps,-plain,-postscript -c,-cols=_ -g,-groupsize=_ -l,-len=_ -n,-name=_ -s,-seek=_ -o=_ -R=_", Args: "r w", Style: LongDash, Do: doXxd},
	{Names: "uudecode", Opts: "-o=w", Args: "r", Do: doDecoder},
	{Names: "uuencode", Args: "r _"},
	{Names: "gunzip uncompress", Opts: "-S,--suffix=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "bunzip2 funzip lz4cat unlz4", Opts: "-c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unxz unlzma", Opts: "-F,--format=_ -M,--memlimit=_ -S,--suffix=_ -T,--threads=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unzstd", Opts: "-D=r -o=w -c,--stdout", Args: "r*", Do: doDecoder},
	{Names: "unpigz", Opts: "-S,--suffix=_ -p,--processes=_ -b,--blocksize=_ -c,--stdout,--to-stdout", Args: "r*", Do: doDecoder},
	{Names: "unbrotli", Opts: "-o,--output=w -S,--suffix=_ -c,--stdout", Args: "r*", Do: doDecoder},
	{Names: "gzip ggzip compress", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b=_ -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "bzip2 lz4", Opts: "-d,--decompress -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "xz lzma", Opts: "-d,--decompress,--uncompress -F,--format=_ -C,--check=_ -M,--memlimit,--memory=_ -S,--suffix=_ -T,--threads=_ --block-size=_ --files?=r --files0?=r -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "zstd", Opts: "-d,--decompress,--uncompress -D=r -o=w --output-dir-flat=_ --output-dir-mirror=_ --filelist=r --patch-from=r -c,--stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "pigz", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b,--blocksize=_ -p,--processes=_ -A,--alias=_ -C,--comment=_ -I,--iterations=_ -J,--maxsplits=_ -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list", Do: doCompress},
	{Names: "brotli", Opts: "-d,--decompress -o,--output=w -q,--quality=_ -w,--lgwin=_ --large_window=_ -S,--suffix=_ -D,--dictionary=r -c,--stdout -k,--keep -t,--test -l,--list", Do: doCompress},
}
