"""A folder mounted a second time, as a disk that keeps capitals and accents and does not tell them apart.

    python3 folding-disk.py <folder> <mount point>      in the foreground; ends when it is unmounted
"""

import errno
import os
import sys
import unicodedata

from fusepy import FUSE, FuseOSError, Operations


def fold(name):
    return unicodedata.normalize("NFC", name).casefold()


class FoldingDisk(Operations):
    def __init__(self, root):
        self.root = root

    def find(self, path):
        """Where it lies: by the name it was made with, if there is one that folds to the same."""
        place = self.root
        for name in path.split("/"):
            if name == "":
                continue
            known = os.path.join(place, name)
            if not os.path.lexists(known) and os.path.isdir(place):
                alike = (one for one in os.listdir(place) if fold(one) == fold(name))
                known = os.path.join(place, next(alike, name))
            place = known
        return place

    def __call__(self, op, path, *args):
        try:
            return super().__call__(op, path, *args)
        except FileNotFoundError as error:
            raise FuseOSError(errno.ENOENT) from error
        except OSError as error:
            raise FuseOSError(error.errno) from error

    def getattr(self, path, fh=None):
        at = os.lstat(self.find(path))
        names = "st_atime st_ctime st_gid st_ino st_mode st_mtime st_nlink st_size st_uid st_blocks"
        return {name: getattr(at, name) for name in names.split()}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.find(path))]

    def readlink(self, path):
        return os.readlink(self.find(path))

    def mkdir(self, path, mode):
        os.mkdir(self.find(path), mode)

    def rmdir(self, path):
        os.rmdir(self.find(path))

    def unlink(self, path):
        os.unlink(self.find(path))

    def symlink(self, path, target):
        os.symlink(target, self.find(path))

    def link(self, path, target):
        os.link(self.find(target), self.find(path))

    def rename(self, old, new):
        source, target = self.find(old), self.find(new)
        if os.path.lexists(target) and os.path.samefile(source, target):
            target = os.path.join(os.path.dirname(target), os.path.basename(new))
        os.rename(source, target)

    def chmod(self, path, mode):
        os.chmod(self.find(path), mode)

    def chown(self, path, uid, gid):
        os.chown(self.find(path), uid, gid, follow_symlinks=False)

    def utimens(self, path, times=None):
        os.utime(self.find(path), times, follow_symlinks=False)

    def statfs(self, path):
        at = os.statvfs(self.find(path))
        names = "f_bavail f_bfree f_blocks f_bsize f_favail f_ffree f_files f_flag f_frsize f_namemax"
        return {name: getattr(at, name) for name in names.split()}

    def open(self, path, flags):
        return os.open(self.find(path), flags & ~os.O_NOFOLLOW)

    def create(self, path, mode, fi=None):
        return os.open(self.find(path), os.O_RDWR | os.O_CREAT, mode)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.find(path) if fh is None else fh, length)

    def release(self, path, fh):
        os.close(fh)


if __name__ == "__main__":
    folder, mount_point = sys.argv[1:]
    FUSE(
        FoldingDisk(os.path.realpath(folder)),
        mount_point,
        foreground=True,
        allow_other=True,
        use_ino=True,
        default_permissions=True,
        attr_timeout=0,
        entry_timeout=0,
        fsname="folding",
    )
