"""Which shared trouble inputs concern the reading of maps."""

MAP_CASES = (
    "a01-free-thresh-025-unknown-205",
    "a02-grey-216-counts-as-free",
    "a03-threshold-equality-204",
    "a04-negate-1",
    "a06-mode-scale-alpha",
    "a08-thresholds-swapped",
    "a09-origin-yaw",
    "a10-origin-nan",
    "a12-scientific-notation",
    "a14-image-relative-to-yaml",
    "a16-spaces-and-accents-in-path",
    "a17-pgm-ascii-p2",
    "a19-pgm-maxval-100",
    "a20-pgm-16-bit",
    "a21-png-16-bit",
    "a23-rgba-transparent-outside",
    "a26-antialiased-thin-walls",
    "a27-git-lfs-pointer",
    "a29-resolution-zero",
    "a32-wrong-yaml",
)
