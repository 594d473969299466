"""The library's own numbers, through ctypes: what the page is compared with."""
import ctypes

COURSES = {"bytes": 0, "ios": 1, "seeks": 2, "outstanding": 3, "p50": 7, "p99": 8}
DIRECTIONS = {"read": 0, "write": 1, "other": 2, "all": 3}


class Summary:
    def __init__(self, library, trace):
        self.lib = ctypes.CDLL(library)
        self.lib.btviz_summary_resolution.restype = ctypes.c_uint64
        self.handle = ctypes.c_void_p()
        figures = ctypes.POINTER(ctypes.c_uint64)()
        if self.lib.btviz_summary_read(trace.encode(), None, None, ctypes.byref(self.handle), None) != 0 or \
                self.lib.btviz_summary_figures(self.handle, ctypes.byref(figures), None) != 0:
            raise RuntimeError(f"cannot read {trace}")
        self.origin = figures[0]  # the struct's first field, origin_ns

    def resolution(self):
        return self.lib.btviz_summary_resolution(self.handle)

    def average(self, device, course, direction, start_s, end_s):
        """Of the device of that index, over a stretch of the run's own seconds."""
        out = ctypes.c_double()
        status = self.lib.btviz_summary_series(
            self.handle, ctypes.c_size_t(device), COURSES[course], DIRECTIONS[direction],
            ctypes.c_uint64(self.origin + round(start_s * 1e9)),
            ctypes.c_uint64(self.origin + round(end_s * 1e9)), ctypes.c_size_t(1), ctypes.byref(out))
        if status != 0:
            raise RuntimeError("no such course")
        return out.value
